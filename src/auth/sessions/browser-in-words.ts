import { namedClient } from '../../platform/http/user-agent.js';
import type { Translator } from '../../texts/translator.js';

/** What browser a client says that it is, such as "Firefox 132 on Linux", in words of ours alone. */
export function browserInWords(userAgent: string, t: Translator, { withVersion = true } = {}): string {
  const client = namedClient(userAgent);
  if (!client) return t.text('audit.unknownBrowser');
  const { version, system, isRobot } = client;
  const name = withVersion && version !== undefined ? `${client.name} ${version}` : client.name;
  if (isRobot) return t.text('audit.robot', { name });
  return system === undefined ? name : t.text('audit.browserOn', { name, system });
}

/** The same in a mail, which has no number of a stranger either. */
export function browserInMail(userAgent: string, t: Translator): string {
  return browserInWords(userAgent, t, { withVersion: false });
}
