import { useTexts } from '../texts.js';

/** Commands that compute the proof from the fragment, as docs/end-to-end.md describes it. */
const PROOF = `hex() { od -An -v -tx1 | tr -d ' \\n'; }
key=$(printf %s= "\${fragment#?}" | tr _- /+ | openssl base64 -d -A | hex)
hkdf() { openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt "hexkey:$key" -kdfopt "info:sealpush/e2e/1/$1" -binary HKDF | hex; }
stretched() { openssl kdf -keylen 32 -kdfopt "pass:$passphrase" -kdfopt "hexsalt:$(hkdf salt)" -kdfopt n:131072 -kdfopt r:8 -kdfopt p:1 -binary SCRYPT; }
proof=$(case $fragment in 2*) stretched ;; esac | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$(hkdf proof)" -binary | openssl base64 -A | tr /+ _- | tr -d =)
`;

/** Opens a push without this page, for readers who run no scripts or do not trust ours. */
export function OpenByCommands({ jsonUrl }: { jsonUrl: string }) {
  const t = useTexts();
  const assignments = `fragment=''  # ${t.text('endToEnd.fragment')}
passphrase=''  # ${t.text('endToEnd.passphraseIf')}
`;
  return (
    <details class="for-you" id="commands">
      <summary>{t.text('endToEnd.commands')}</summary>
      <p>{t.text('endToEnd.commandsIntro')}</p>
      <pre tabIndex={0}>{assignments + PROOF + retrievalFrom(jsonUrl)}</pre>
      <p>{t.text('endToEnd.ageAsks')}</p>
      <p>{t.text('endToEnd.agePrints')}</p>
    </details>
  );
}

function retrievalFrom(jsonUrl: string): string {
  return `curl -H "X-Push-Passphrase: $proof" '${jsonUrl}' > push.json
printf %b "$(sed 's/.*"payload":"\\([^"]*\\)".*/\\1/' push.json)" > secret.age; age -d secret.age
`;
}
