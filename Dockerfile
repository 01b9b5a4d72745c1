# The site, its workers and its beat are one image; compose.yaml says what each runs.
FROM python:3.11-slim@sha256:9c900dea9e8fb7e16277c179b555cc72d29a352dbc33cff48ad5a0412fd5bfc7

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    OPENBLAS_NUM_THREADS=1 \
    OMP_NUM_THREADS=1

WORKDIR /app
COPY requirements.lock .
RUN pip install --no-cache-dir --require-hashes -r requirements.lock
COPY . .
RUN python -m compileall -q . && useradd --system --no-create-home plumbline && mkdir -p var && chown plumbline: var

USER plumbline
VOLUME /app/var
EXPOSE 8000
