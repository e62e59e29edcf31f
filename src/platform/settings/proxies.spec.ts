import http from 'node:http';
import https from 'node:https';
import 'reflect-metadata';
import { Proxies } from './proxies.js';
import { readSettings } from './read-settings.js';
import { haveAgentsProxies } from './server-addresses.js';

const proxies = (NO_PROXY?: string) =>
  new Proxies(
    readSettings({
      HTTPS_PROXY: 'http://secure.proxy:3128',
      HTTP_PROXY: 'http://plain.proxy:3128',
      ...(NO_PROXY !== undefined && { NO_PROXY }),
    }),
  );

/** Whether an agent of Node.js with these settings uses the proxy. */
function agentUsesProxy(url: URL, of: Proxies): boolean {
  const { Agent } = url.protocol === 'https:' ? https : http;
  const agent = new Agent({ proxyEnv: of.ofAgents });
  const key = Object.getOwnPropertySymbols(agent).find(({ description }) => description === 'kProxyConfig');
  const config = Reflect.get(agent, key ?? '') as { shouldUseProxy: (host: string, port: number) => boolean };
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return config.shouldUseProxy(url.hostname.replace(/^\[|\]$/g, ''), port);
}

describe('A server', () => {
  it('is reached by the proxy for its scheme', () => {
    expect(proxies().of(new URL('https://store.example'))?.host).toBe('secure.proxy');
    expect(proxies().of(new URL('http://store.example'))?.host).toBe('plain.proxy');
    const onlySecure = new Proxies(readSettings({ HTTPS_PROXY: 'http://secure.proxy' }));
    expect(onlySecure.of(new URL('http://store.example'))).toBeUndefined();
    expect(new Proxies(readSettings({})).of(new URL('https://store.example'))).toBeUndefined();
  });

  it.each([
    ['store.example', 'https://store.example'],
    ['store.example', 'https://STORE.example:8443'],
    ['store.example', 'https://bucket.store.example'],
    ['.store.example', 'https://bucket.store.example'],
    ['.store.example', 'https://store.example'],
    ['*.store.example', 'https://a.bucket.store.example'],
    ['a.example, STORE.example', 'http://store.example'],
    ['a.example store.example:9000', 'http://store.example:9000'],
    ['store.example:443', 'https://store.example'],
    ['*', 'https://store.example'],
    ['10.1.2.3', 'http://10.1.2.3:9000'],
    ['10.1.2.3:9000', 'http://10.1.2.3:9000'],
    ['10.0.0.0/8', 'https://10.255.255.255'],
    ['10.1.2.3/32', 'https://10.1.2.3'],
    ['::1', 'https://[::1]'],
    ['[fd00::1]:9000', 'http://[fd00::1]:9000'],
  ])('in NO_PROXY=%s is reached directly, also by agents of Node.js: %s', (noProxy, address) => {
    const url = new URL(address);

    expect(proxies(noProxy).of(url)).toBeUndefined();
    expect(agentUsesProxy(url, proxies(noProxy))).toBe(false);
  });

  it.each([
    ['store.example', 'https://restore.example'],
    ['store.example', 'https://store.example.evil'],
    ['.store.example', 'https://restore.example'],
    ['store.example:9000', 'https://store.example'],
    ['10.0.0.0/8', 'https://11.0.0.1'],
    ['10.0.0.0/8', 'https://10.0.0.1.example'],
    ['10.1.2.3:9000', 'http://10.1.2.3'],
    ['fd00::/8', 'https://store.example'],
    ['::1', 'https://[::2]'],
    ['169.254/16, local', 'https://store.example'],
  ])('that NO_PROXY=%s does not mean is not: %s', (noProxy, address) => {
    const url = new URL(address);

    expect(proxies(noProxy).of(url)).toBeDefined();
    expect(agentUsesProxy(url, proxies(noProxy))).toBe(true);
  });

  it('in an IPv6 network is reached directly', () => {
    expect(proxies('fd00::/8').of(new URL('https://[fd00::1]'))).toBeUndefined();
  });
});

describe('An agent of Node.js', () => {
  it.each([
    ['22.20.0', false],
    ['22.21.0', true],
    ['23.11.0', false],
    ['24.4.1', false],
    ['24.5.0', true],
    ['26.0.0', true],
  ])('of version %s knows proxies: %s', (version, does) => {
    expect(haveAgentsProxies(version)).toBe(does);
  });

  it('gets the login as it was, whatever signs it has', () => {
    const HTTPS_PROXY = 'http://ada%40example.org:p%2Fw%25%3A@secure.proxy:3128';

    expect(new Proxies(readSettings({ HTTPS_PROXY })).ofAgents.HTTPS_PROXY).toBe(HTTPS_PROXY);
  });
});
