import { namedClient } from '../../platform/http/user-agent.js';
import type { Translator } from '../../texts/translator.js';

/** What a browser calls itself, such as "Firefox 132 on Linux". */
export function browserInWords(userAgent: string, t: Translator): string {
  const client = namedClient(userAgent);
  if (!client) return t.text('audit.unknownBrowser');
  const { name, system, isRobot } = client;
  if (isRobot) return t.text('audit.robot', { name });
  return system === undefined ? name : t.text('audit.browserOn', { name, system });
}
