"""Tests of what ./run and ./test are made of."""
