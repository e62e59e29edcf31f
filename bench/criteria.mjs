// Compares a measured value with the bound of a criterion.

export function criteriaOf(engine) {
  const compared = (criterion, measured, target, isMet) => ({
    engine,
    criterion,
    target,
    measured: Number(measured.toFixed(2)),
    result: isMet ? 'pass' : 'FAIL',
  });
  return {
    atLeast: (criterion, measured, bound) =>
      compared(criterion, measured, `at least ${bound}`, measured >= bound),
    atMost: (criterion, measured, bound) =>
      compared(criterion, measured, `at most ${bound}`, measured <= bound),
  };
}
