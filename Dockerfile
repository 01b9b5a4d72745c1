# The site, its worker and its beat are one image; compose.yaml says what each runs.
FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 \
    OPENBLAS_NUM_THREADS=1 \
    OMP_NUM_THREADS=1

WORKDIR /app
COPY requirements.txt .
RUN pip install --no-cache-dir -r requirements.txt
COPY . .
RUN useradd --system --no-create-home plumbline && mkdir -p var && chown plumbline: var

USER plumbline
VOLUME /app/var
EXPOSE 8000
CMD ["sh", "-c", "python manage.py prepare && exec python -m registry.serving --host 0.0.0.0 --port 8000 --workers 2"]
