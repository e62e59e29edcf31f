import { apiText, pageTextKey, Problem } from '../../platform/errors/problem.js';
import type { PushKind } from '../../shared/push-kind.js';
import type { SomeTextValues } from '../../texts/text-parameters.js';
import type { Translator } from '../../texts/translator.js';

/** What a page shows for a problem. A message that is only text, as of an added module, is shown as it is. */
export function errorText(problem: Problem | string, t: Translator): string {
  if (typeof problem === 'string') return problem;
  const key = pageTextKey(problem);
  return key === null ? apiText(problem) : t.text(key, textValues(problem, t));
}

/** The parameters of a problem, as its text has them. */
function textValues({ values }: Problem, t: Translator): SomeTextValues {
  const { bytes, kinds, at, ...others }: { bytes?: number; kinds?: readonly PushKind[]; at?: string } =
    values ?? {};
  return {
    ...others,
    ...(at !== undefined && { time: t.time(new Date(at)) }),
    ...(bytes !== undefined && { size: t.size(bytes) }),
    ...(kinds && { kinds: t.list(kinds.map((kind) => t.text(`kind.${kind}`))) }),
  };
}
