// How a promise is told: what was measured, beside what we hold ourselves to.

export function promisesOf(engine) {
  const told = (promise, measured, target, isKept) => ({
    engine,
    promise,
    target,
    measured: Number(measured.toFixed(2)),
    verdict: isKept ? 'pass' : 'FAIL',
  });
  return {
    atLeast: (promise, measured, bound) => told(promise, measured, `at least ${bound}`, measured >= bound),
    atMost: (promise, measured, bound) => told(promise, measured, `at most ${bound}`, measured <= bound),
  };
}
