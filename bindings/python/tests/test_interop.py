"""The libraries people have: NumPy 2, pandas, polars, pyarrow, matplotlib, JAX."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import fovea as fv


@pytest.fixture(scope="module")
def result() -> fv.Result:
    return fv.train(steps=40, record_every=10, seed=1)


def test_this_is_numpy_2():
    assert int(np.__version__.split(".")[0]) >= 2


def test_arrow_tables_are_taken_over(result: fv.Result):
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(result.series)
    assert table.column_names == list(result.series) and table.num_rows == len(result.series)
    assert table["value"].to_numpy().tolist() == result.series["value"].tolist()
    assert table["probe"].to_pylist() == result.series["probe"].tolist()
    types = {field.name: str(field.type) for field in table.schema}
    assert types == {
        "curve": "string", "step": "int64", "time": "double", "probe": "string", "unit": "int32", "value": "double",
    }
    assert result.series.to_arrow().equals(table)


def test_polars_reads_the_stream_and_the_file(result: fv.Result, tmp_path: Path):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(result.series)
    assert frame.filter(polars.col("probe") == "ipr")["value"].to_list() == result.series.where(probe="ipr")["value"].tolist()
    assert frame.equals(polars.read_parquet(result.save(tmp_path / "run") / "series.parquet"))


def test_pandas_reads_the_stream_and_the_file(result: fv.Result, tmp_path: Path):
    pandas = pytest.importorskip("pandas")
    frame = result.series.to_pandas()
    last = frame[frame.probe == "ipr"].groupby("curve").value.last()
    assert last["train"] == result.series.where(probe="ipr")["value"][-1]
    if hasattr(pandas.DataFrame, "from_arrow"):
        assert pandas.DataFrame.from_arrow(result.series).shape == frame.shape
    stored = pandas.read_parquet(result.save(tmp_path / "run") / "series.parquet")
    assert stored.value.tolist() == frame.value.tolist()


def test_tables_are_read_alike_by_pandas_polars_duckdb_and_the_package(tmp_path: Path):
    pandas, polars, duckdb = (pytest.importorskip(name) for name in ("pandas", "polars", "duckdb"))
    ran = fv.run("localize", gain=[0.01, 3.0, float("inf")], quick=True)
    path = ran.save(tmp_path / "run")
    loaded = fv.load(path)
    assert list(loaded.tables) == list(ran.tables) == ["claims", "fields", "dictator"]
    files = {file.stem for file in (path / "tables").iterdir()}
    assert files == set(loaded.tables)
    for name, table in loaded.tables.items():
        file = path / "tables" / f"{name}.parquet"
        stored = pandas.read_parquet(file)
        assert list(stored) == list(table) and len(stored) == len(table)
        in_duckdb = duckdb.sql(f"select * from '{file}'")
        assert in_duckdb.columns == list(table)
        in_polars = polars.read_parquet(file)
        for column in table:
            expected = [None if value != value else value for value in table[column].tolist()]
            assert in_polars[column].to_list() == expected
            assert [row[0] for row in in_duckdb.select(f'"{column}"').fetchall()] == expected
            numbers = table[column].dtype.kind != "U"
            if numbers:
                np.testing.assert_array_equal(stored[column].to_numpy(dtype=float), table[column])
            else:
                assert stored[column].tolist() == expected
    fields = loaded.tables["fields"]
    assert fields["gain"].tolist() == [0.01, 3.0, float("inf")] and fields.units == {"fields_apart": "%"}
    assert np.isnan(fields["theory_ipr"][1]) and polars.DataFrame(fields).shape == (3, len(list(fields)))
    assert "no closed form" in repr(fields) and fields.caption
    with pytest.raises(fv.FoveaError, match="there is no table"):
        loaded.tables["field"]


def test_matplotlib_draws_a_series_in_three_lines(result: fv.Result, tmp_path: Path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    ipr = result.series.where(probe="ipr")
    plt.plot(ipr["time"], ipr["value"])
    plt.savefig(tmp_path / "ipr.png")
    assert (tmp_path / "ipr.png").stat().st_size > 1000


def test_jax_arrays_come_in_and_go_out():
    jax = pytest.importorskip("jax")
    weights = jax.numpy.arange(12.0).reshape(3, 4)
    assert np.allclose(fv.measure.ipr(weights), fv.measure.ipr(np.asarray(weights)))
    assert fv.stimulus.array(samples=weights).sites == 4
    assert fv.theory.nlgp.cov(rho=jax.numpy.linspace(0, 1, 5)).shape == (5,)
    samples = fv.stimulus.nlgp(n=8, xi=1).sample(16, dtype=np.float32)
    out = jax.dlpack.from_dlpack(samples) if hasattr(jax, "dlpack") else jax.numpy.from_dlpack(samples)
    assert np.array_equal(np.asarray(out), samples)


class OnlyDlpack:
    """An array that can do nothing but be handed over."""

    def __init__(self, array: np.ndarray) -> None:
        self._array = array

    def __dlpack__(self, **more: object) -> object:
        return self._array.__dlpack__(**more)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._array.__dlpack_device__()


def test_anything_with_dlpack_is_an_array():
    weights = np.random.default_rng(0).normal(size=(3, 8))
    assert np.array_equal(fv.measure.ipr(OnlyDlpack(weights)), fv.measure.ipr(weights))
    assert fv.stimulus.array(samples=OnlyDlpack(weights)).sites == 8
    assert np.array_equal(fv.theory.nlgp.cov(rho=OnlyDlpack(np.array([0.1, 0.2]))), fv.theory.nlgp.cov(rho=[0.1, 0.2]))
