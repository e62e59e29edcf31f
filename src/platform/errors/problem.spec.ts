import { apiText, declareProblems, pageTextKey, Problem, problemCodes } from './problem.js';

describe('Problems of a feature', () => {
  const GardenProblem = declareProblems({
    too_many_tulips: [
      ({ count }: { count: number }) => `must be at most ${count} tulips`,
      'formError.tooManyFiles',
    ],
    tulip_eaten: ['was eaten', null],
  });

  it('are problems, with the texts of their table', () => {
    const problem = new GardenProblem('too_many_tulips', { count: 3 });

    expect(problem).toBeInstanceOf(Problem);
    expect([apiText(problem), pageTextKey(problem)]).toEqual([
      'must be at most 3 tulips',
      'formError.tooManyFiles',
    ]);
    expect(apiText(new GardenProblem('tulip_eaten'))).toBe('was eaten');
    expect(pageTextKey(new GardenProblem('tulip_eaten'))).toBeNull();
    expect(problemCodes()).toEqual(expect.arrayContaining(['blank', 'tulip_eaten']));
  });

  it('have codes of their own', () => {
    for (const code of ['blank', 'tulip_eaten'])
      expect(() => declareProblems({ [code]: ['', null] })).toThrow(`The problem ${code} is declared twice.`);
  });
});
