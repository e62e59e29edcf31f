import { WebhookSettings } from './webhooks.settings.js';
import { DestinationRules } from './destination-rules.js';
import { Problem } from '../../platform/errors/problem.js';
import { WebhookProblem } from './webhooks.problems.js';

function rulesWith(...networks: string[]): DestinationRules {
  return new DestinationRules(Object.assign(new WebhookSettings(), { WEBHOOK_ALLOWED_NETWORKS: networks }));
}

const HTTPS = new URL('https://example.org');
const HTTP = new URL('http://example.org');

describe('The destination of a webhook', () => {
  it.each([
    '8.8.8.8',
    '100.63.255.255',
    '192.0.1.1',
    '223.255.255.255',
    '2001:200::1',
    '2606:4700::1111',
    '3ffe::1',
    '::ffff:8.8.8.8',
  ])('may be the public address %s', (address) => {
    expect(rulesWith().allows(HTTPS, [address])).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '0.255.255.255',
    '10.1.2.3',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.88.99.1',
    '192.168.1.1',
    '192.175.48.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:10.0.0.1',
    '::ffff:0:10.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '100::1',
    '100:0:0:1::1',
    '1000::1',
    '1fff:ffff::1',
    '2001::1',
    '2001:1::1',
    '2001:2::1',
    '2001:3::1',
    '2001:4:112::1',
    '2001:20::1',
    '2001:1ff:ffff::1',
    '2001:db8::1',
    '2002:a00:1::1',
    '2002:808:808::1',
    '2620:4f:8000::1',
    '3fff::1',
    '3fff:fff:ffff::1',
    '4000::1',
    '5f00::1',
    '8000::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
  ])('must not be %s (G1, M9)', (address) => {
    expect(rulesWith().allows(HTTPS, [address])).toBe(false);
    expect(rulesWith().allows(HTTPS, ['8.8.8.8', address])).toBe(false);
  });

  it('may be in a network that the operator allows, also by http', () => {
    const rules = rulesWith('10.0.0.0/8', '192.168.1.1', 'fd00::/16', '0.0.0.0/32');

    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.168.1.1', 'fd00::1'])
      expect(rules.allows(HTTP, [address])).toBe(true);
    for (const address of ['192.168.1.2', 'fd01::1', '127.0.0.1', '8.8.8.8'])
      expect(rules.allows(HTTP, [address])).toBe(false);
    expect(rules.allows(HTTPS, ['8.8.8.8'])).toBe(true);
  });

  it.each([
    'https://example.org/hook?token=1',
    'https://example.org:8443/hook',
    ' https://bücher.example/ ',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
  ])('is accepted as %j', (url) => {
    expect(rulesWith().urlError(url)).toBeUndefined();
  });

  it.each([
    ['', new Problem('blank')],
    ['example.org', new WebhookProblem('not_an_https_address')],
    ['/hook', new WebhookProblem('not_an_https_address')],
    ['http://example.org/', new WebhookProblem('not_an_https_address')],
    ['ftp://example.org/', new WebhookProblem('not_an_https_address')],
    ['file:///etc/passwd', new WebhookProblem('not_an_https_address')],
    ['gopher://example.org/', new WebhookProblem('not_an_https_address')],
    ['javascript:alert(1)', new WebhookProblem('not_an_https_address')],
    ['https://example.org:0/', new WebhookProblem('not_an_https_address')],
    ['https://example.org:65536/', new WebhookProblem('not_an_https_address')],
    [`https://${'a.'.repeat(150)}org/`, new WebhookProblem('not_an_https_address')],
    ['https://user@example.org/', new WebhookProblem('user_in_address')],
    ['https://user:secret@example.org/', new WebhookProblem('user_in_address')],
    [`https://example.org/${'a'.repeat(2000)}`, new Problem('too_long', { count: 2000 })],
    ['https://127.0.0.1/', new WebhookProblem('address_not_public')],
    ['https://127.1/', new WebhookProblem('address_not_public')],
    ['https://2130706433/', new WebhookProblem('address_not_public')],
    ['https://0x7f000001/', new WebhookProblem('address_not_public')],
    ['https://0177.0.0.1/', new WebhookProblem('address_not_public')],
    ['https://１２７.0.0.1/', new WebhookProblem('address_not_public')],
    ['https://[::1]/', new WebhookProblem('address_not_public')],
    ['https://[::ffff:127.0.0.1]/', new WebhookProblem('address_not_public')],
    ['https://[::127.0.0.1]/', new WebhookProblem('address_not_public')],
    ['https://[64:ff9b::127.0.0.1]/', new WebhookProblem('address_not_public')],
    ['https://127.0.0.1./', new WebhookProblem('address_not_public')],
    ['https://169.254.169.254/latest/meta-data', new WebhookProblem('address_not_public')],
  ])('is refused as %j', (url, problem) => {
    expect(rulesWith().urlError(url)).toEqual(problem);
  });
});
