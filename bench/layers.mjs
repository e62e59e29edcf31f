// To which layer a function belongs, by the file it comes from and by who called it.

/** In the order in which they are shown. */
export const LAYERS = [
  'HTTP',
  'event loop',
  'Express',
  'Nest',
  'body',
  'validation',
  'sealing',
  'TypeORM',
  'SQL',
  'log',
  'other packages',
  'own other code',
  'garbage collection',
];

const PACKAGES = {
  Express: `express router qs send serve-static finalhandler path-to-regexp parseurl on-finished ee-first etag fresh
    accepts negotiator mime-types mime-db media-typer vary cookie cookie-signature encodeurl escape-html statuses
    http-errors merge-descriptors proxy-addr forwarded ipaddr.js range-parser depd debug ms once side-channel
    side-channel-list side-channel-map side-channel-weakmap content-disposition helmet cors`,
  Nest: `@nestjs/core @nestjs/common @nestjs/platform-express @nestjs/event-emitter @nestjs/passport @nestjs/schedule
    @nestjs/throttler @nestjs/typeorm rxjs tslib reflect-metadata eventemitter2 passport passport-strategy
    passport-http-bearer uid iterare`,
  body: 'body-parser raw-body iconv-lite bytes unpipe type-is content-type multer busboy streamsearch append-field',
  validation: 'class-validator class-transformer validator libphonenumber-js',
  sealing: '@node-rs/argon2',
  TypeORM: 'typeorm',
  SQL: 'better-sqlite3 pg pg-protocol pg-pool pg-types postgres-bytea mysql2 sql-escaper lru.min long denque named-placeholders generate-function',
  log: 'pino sonic-boom safe-stable-stringify quick-format-unescaped pino-std-serializers atomic-sleep @pinojs/redact',
};
const LAYER_OF_PACKAGE = new Map(
  Object.entries(PACKAGES).flatMap(([layer, names]) => names.split(/\s+/).map((name) => [name, layer])),
);

/** Our own files, by their path in dist/; the first that fits. */
const OWN_FILES = [
  ['SQL', /^platform\/database\//],
  ['sealing', /^platform\/sealing\/|seal\.js$|^platform\/random\//],
  ['log', /\/(log|prepare-requests|request-context)\.js$/],
  ['body', /body|multipart|part-heads/],
  ['validation', /create-push\.|\.pipe\.js$|validat|push-rules|push-fields|payload-errors/],
];

const NODE_HTTP = /^node:(_http|http|internal\/http)/;
const NODE_STREAM = /^node:(net|stream|internal\/(net|stream))/;
const NODE_CRYPTO = /^node:(crypto|internal\/crypto)/;
const STATEMENTS = ['run', 'get', 'all', 'iterate', 'exec', 'prepare'];
const WITH_SOCKETS_OR_FILES_OF_THEIR_OWN = ['SQL', 'log'];

/**
 * @param caller the layer of the function that called it
 * @returns undefined where nothing is done: the loop waits for something to do
 */
export function layerOf({ functionName, url }, caller) {
  if (functionName === '(idle)') return undefined;
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (functionName === '(program)' || functionName === '(root)') return 'event loop';
  const name = packageOf(url);
  if (name) {
    if (name === '@nestjs/common' && url.includes('/pipes/')) return 'validation';
    return LAYER_OF_PACKAGE.get(name) ?? 'other packages';
  }
  const own = /\/dist\/(.+)$/.exec(url)?.[1];
  if (own) return OWN_FILES.find(([, pattern]) => pattern.test(own))?.[0] ?? 'own other code';
  if (NODE_CRYPTO.test(url)) return 'sealing';
  if (NODE_HTTP.test(url)) return 'HTTP';
  if (NODE_STREAM.test(url) && !WITH_SOCKETS_OR_FILES_OF_THEIR_OWN.includes(caller)) return 'HTTP';
  if (url === '' && caller === 'TypeORM' && STATEMENTS.includes(functionName)) return 'SQL'; // of better-sqlite3
  return caller; // what V8 and Node.js bring along works for whoever calls it
}

function packageOf(url) {
  const path = url.split('/node_modules/').at(-1);
  if (path === url) return undefined;
  return /^(@[^/]+\/)?[^/]+/.exec(path)[0];
}

/** What each function of a CPU profile took, in microseconds, with its layer; not what waits for something to do. */
export function timesOf({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const times = new Map();
  // each entry is the time since the previous one; the last sample lasts until the profile ended
  samples.forEach((id, i) => times.set(id, (times.get(id) ?? 0) + Math.max(0, timeDeltas[i + 1] ?? 0)));

  const functions = [];
  const visit = (id, caller) => {
    const { callFrame, children = [] } = byId.get(id);
    const layer = layerOf(callFrame, caller);
    if (layer) functions.push({ layer, callFrame, amount: times.get(id) ?? 0 });
    for (const child of children) visit(child, layer);
  };
  visit(nodes[0].id, 'event loop');
  return functions;
}

/** What each function of an allocation profile allocated, in bytes, with its layer. */
export function bytesOf({ head }) {
  const functions = [];
  const visit = ({ callFrame, selfSize, children }, caller) => {
    const layer = layerOf(callFrame, caller) ?? caller;
    functions.push({ layer, callFrame, amount: selfSize });
    for (const child of children) visit(child, layer);
  };
  visit(head, 'event loop');
  return functions;
}

/** Sums by layer. */
export function byLayer(functions) {
  return sumBy(functions, ({ layer }) => layer);
}

/** The functions with the largest sums, each with its layer. */
export function largest(functions, count) {
  const nameOf = ({ layer, callFrame: { functionName, url, lineNumber } }) =>
    `${layer}: ${functionName || '(anonymous)'} ${url.replace(/.*\/(node_modules|(?=dist\/))/, '')}${url && `:${lineNumber + 1}`}`;
  return Object.entries(sumBy(functions, nameOf))
    .sort(([, a], [, b]) => b - a)
    .slice(0, count);
}

function sumBy(functions, keyOf) {
  const sums = {};
  for (const each of functions) {
    const key = keyOf(each);
    sums[key] = (sums[key] ?? 0) + each.amount;
  }
  return sums;
}
