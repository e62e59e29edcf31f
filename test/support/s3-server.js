// s3rver with operations that it lacks and we use: aborting and listing multipart uploads, listing their parts, and putting an object only if
// there is none of its key.
// It never responds to a range request for an empty object; S3 responds with InvalidRange.
// It prints the port that it listens on, which an argument may name.
const { existsSync, readdirSync, readFileSync, rmSync, statSync } = require('node:fs');
const { join } = require('node:path');
const S3rver = require('s3rver');

const ID_NAME = 'sealpush-installation-id';

/** The ends of the requests that put an object, by its path. */
const beingPut = new Map();

const [folder, bucket, port = 0] = process.argv.slice(2);
const server = new S3rver({
  address: '127.0.0.1',
  port: Number(port),
  silent: true,
  directory: folder,
  configureBuckets: [{ name: bucket, configs: [] }],
});
const uploads = server.store.getResourcePath(bucket, undefined, 'uploads');

server.middleware.unshift(async (context, next) => {
  const { method, query } = context;
  if (method === 'DELETE' && /^[0-9a-f]{32}$/.test(query.uploadId)) {
    rmSync(join(uploads, query.uploadId), { recursive: true, force: true });
    context.status = 204;
  } else if (method === 'GET' && /^[0-9a-f]{32}$/.test(query.uploadId)) {
    listParts(context, query.uploadId);
  } else if (method === 'GET' && query.uploads !== undefined) {
    context.type = 'application/xml';
    context.body = `<ListMultipartUploadsResult>${begun().join('')}</ListMultipartUploadsResult>`;
  } else if (method === 'PUT' && context.path.endsWith(ID_NAME)) {
    await putAtomically(context, next);
  } else if (method === 'GET' && context.get('range') && isEmpty(context.path)) {
    context.status = 416;
    context.type = 'application/xml';
    context.body = '<Error><Code>InvalidRange</Code></Error>';
  } else {
    await beingPut.get(context.path);
    await next();
  }
});

/** Nobody sees an object before all of it is there, as with S3. */
async function putAtomically(context, next) {
  const { path } = context;
  const isNewOnly = context.get('if-none-match') === '*';
  await beingPut.get(path);
  if (isNewOnly && (beingPut.has(path) || existsSync(join(folder, `${path}._S3rver_object`)))) {
    context.status = 412;
    context.type = 'application/xml';
    context.body = '<Error><Code>PreconditionFailed</Code></Error>';
    return;
  }
  let end;
  beingPut.set(path, new Promise((resolve) => (end = resolve)));
  try {
    await next();
  } finally {
    beingPut.delete(path);
    end();
  }
}

function isEmpty(path) {
  return statSync(join(folder, `${path}._S3rver_object`), { throwIfNoEntry: false })?.size === 0;
}

function listParts(context, id) {
  context.type = 'application/xml';
  if (!existsSync(join(uploads, id))) {
    context.status = 404;
    context.body = '<Error><Code>NoSuchUpload</Code></Error>';
    return;
  }
  const numbers = readdirSync(join(uploads, id)).filter((name) => /^\d+$/.test(name));
  const parts = numbers
    .sort((a, b) => a - b)
    .map((number) => {
      const etag = readFileSync(join(uploads, id, `${number}.md5`), 'utf8');
      return `<Part><PartNumber>${number}</PartNumber><ETag>"${etag}"</ETag></Part>`;
    });
  context.body = `<ListPartsResult><IsTruncated>false</IsTruncated>${parts.join('')}</ListPartsResult>`;
}

function begun() {
  return readIds().map((id) => {
    const path = join(uploads, id, 'key');
    const initiated = statSync(path).mtime.toISOString();
    return `<Upload><Key>${readFileSync(path, 'utf8')}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`;
  });
}

function readIds() {
  try {
    return readdirSync(uploads);
  } catch {
    return []; // none yet
  }
}

server.run().then((address) => console.log(`listening on ${address.port}`));
