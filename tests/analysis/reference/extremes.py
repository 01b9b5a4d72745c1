"""Writes extremes.json: extremes of normals and Gupta's constants in 50-digit arithmetic (30 for quadratures).

    python -m tests.analysis.reference.extremes

mpmath 1.4.1, Python 3.11. It shares nothing with ``analysis``: no SciPy, no logarithms, Gauss-Legendre quadrature on
fixed pieces, and double integrals for the finite degrees of freedom. Takes two minutes.
"""

import json
from pathlib import Path

import mpmath as mp

SIZES = [1, 2, 3, 5, 10, 30, 103, 1000, 10**4, 10**6, 10**9]
PROBABILITIES = ["1e-12", "0.001", "0.05", "0.2", "0.5", "0.8", "0.95", "0.999", "0.999999999"]


def quantile(n: int, p: mp.mpf) -> mp.mpf:
    return mp.sqrt(2) * mp.erfinv(2 * mp.exp(mp.log(p) / n) - 1)


def pieces(n: int) -> list[mp.mpf]:
    inner = [quantile(n, mp.mpf(p)) for p in ("1e-30", "1e-9", "0.001", "0.1", "0.5", "0.9", "0.999")]
    return [inner[0] - 3, *inner, inner[-1] + 1.5, inner[-1] + 4, inner[-1] + 9]


def moments(n: int) -> tuple[mp.mpf, mp.mpf]:
    def density(z: mp.mpf) -> mp.mpf:
        return n * mp.npdf(z) * mp.ncdf(z) ** (n - 1)

    def integral(power: int) -> mp.mpf:
        return mp.quad(lambda z: z**power * density(z), pieces(n), method="gauss-legendre")

    total, first, second = integral(0), integral(1), integral(2)
    assert abs(total - 1) < mp.mpf("1e-20"), (n, total)
    return first, mp.sqrt(second - first**2)


def equicorrelated_cdf(n: int, rho: mp.mpf, z: mp.mpf) -> mp.mpf:
    shared, own = mp.sqrt(rho), mp.sqrt(1 - rho)
    edge = (z - own * quantile(n, mp.mpf("0.5"))) / shared
    points = sorted({mp.mpf(w) for w in range(-44, 15)} | {edge + own * mp.mpf(d) for d in (-3, -1, 0, 1, 3)})

    def integrand(w: mp.mpf) -> mp.mpf:
        return mp.npdf(w) * mp.ncdf((z - shared * w) / own) ** n

    scale = max(integrand(w) for w in points)  # quad's tolerance is absolute
    return scale * mp.quad(lambda w: integrand(w) / scale, points, method="gauss-legendre", maxdegree=7)


def gupta_coverage(k: int, df: int, d: mp.mpf) -> mp.mpf:
    """Return P(max of k - 1 equicorrelated t <= d), integrating over s with s**2 = chi2 / df."""
    half = mp.mpf(df) / 2
    constant = 2 * half**half / mp.gamma(half)
    width = 9 / mp.sqrt(2 * mp.mpf(df))
    points = [max(mp.mpf(0), 1 - width), max(mp.mpf("0.3"), 1 - width / 3), 1, 1 + width / 3, 1 + width]
    return mp.quad(
        lambda s: constant * s ** (df - 1) * mp.exp(-half * s * s) * equicorrelated_cdf(k - 1, mp.mpf("0.5"), d * s),
        sorted(set(points)),
        method="gauss-legendre",
        maxdegree=4,
    )


def text(value: mp.mpf) -> str:
    return mp.nstr(value, 25)


def reference() -> dict[str, object]:
    mp.mp.dps = 50
    quantiles = [[n, p, text(quantile(n, mp.mpf(float(p))))] for n in SIZES for p in PROBABILITIES]
    tails = [
        [n, z, text(mp.ncdf(mp.mpf(z)) ** n), text(1 - mp.ncdf(mp.mpf(z)) ** n)]
        for n in SIZES
        for z in ("-8", "-2", "0", "1.5", "3", "6", "9")
    ]
    mp.mp.dps = 30
    correlated = [
        [n, rho, z, text(equicorrelated_cdf(n, mp.mpf(float(rho)), mp.mpf(z)))]
        for n in (2, 5, 103, 1000, 10**6)
        for rho in ("0.05", "0.3", "0.5", "0.6", "0.9", "0.99")
        for z in ("-1", "1", "3")
    ]
    mp.mp.dps = 20
    gupta = [
        [k, df, d, text(gupta_coverage(k, df, mp.mpf(float(d))))]
        for k, df, d in ((2, 5, "2.0150483733330242"), (5, 12, "2.4"), (20, 40, "2.75"))
    ]
    mp.mp.dps = 50
    return {
        "made_with": f"mpmath {mp.__version__}",
        "quantile_n_p_z": quantiles,
        "tails_n_z_cdf_sf": tails,
        "moments_n_mean_sd": [[n, *map(text, moments(n))] for n in SIZES if n > 1],
        "equicorrelated_n_rho_z_cdf": correlated,
        "gupta_k_df_d_coverage": gupta,
    }


if __name__ == "__main__":
    target = Path(__file__).with_suffix(".json")
    one_row_a_line = json.dumps(reference()).replace("], [", "],\n[")
    target.write_text(one_row_a_line + "\n", encoding="utf-8")
