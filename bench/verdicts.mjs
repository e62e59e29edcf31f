// What we hold ourselves to. Figures are ratios within one run, for machines differ and are noisy.

/** Each promise with what was measured. */
export function verdicts(engine, { floor, service }) {
  const isSqlite = engine === 'sqlite';
  const speed = (load) => service[load]['requests/s'] / floor[load]['requests/s'];
  const cpu = (load) => service[load]['CPU µs'] / floor[load]['CPU µs'];
  const worst = (field) => Math.max(...['create', 'retrieve'].map((load) => service[load][field]));
  const failed = Object.values(service).reduce((sum, result) => sum + result.failed, 0);

  const atLeast = (promise, measured, bound) =>
    verdict(engine, `${promise} at least ${bound}`, measured, measured >= bound);
  const atMost = (promise, measured, bound) =>
    verdict(engine, `${promise} at most ${bound}`, measured, measured <= bound);
  return [
    atLeast('create, speed of the floor:', speed('create'), isSqlite ? 0.3 : 0.5),
    atLeast('retrieve, speed of the floor:', speed('retrieve'), isSqlite ? 0.25 : 0.5),
    atMost('create, CPU of the floor:', cpu('create'), isSqlite ? 120 / 39 : 2),
    atMost('retrieve, CPU of the floor:', cpu('retrieve'), isSqlite ? 100 / 26 : 2),
    atMost('p99 in ms:', worst('p99'), 30),
    atMost('resident memory in MB:', worst('memory MB'), 220),
    atMost('failed requests:', failed, 0),
  ];
}

function verdict(engine, promise, measured, isKept) {
  return { engine, promise, measured: Number(measured.toFixed(2)), verdict: isKept ? 'pass' : 'FAIL' };
}
