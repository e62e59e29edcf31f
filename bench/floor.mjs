// The baseline: what the work costs without a framework. Bare node:http, a body read by hand, and the durable store.
import { createServer } from 'node:http';
import { openStore } from './durable-store.mjs';

const PREFIX = '/api/v2/pushes/'.length;
const DEFAULT_VIEWS = 5;

openStore(process.env, (failure, store) => {
  if (failure) throw failure;
  const server = createServer((request, response) => {
    if (request.method === 'POST') readBody(request, (body) => create(body, response));
    else view(request.url.slice(PREFIX), response);
  });
  server.listen(0, '127.0.0.1', () =>
    console.log(JSON.stringify({ address: `http://127.0.0.1:${server.address().port}` })),
  );

  function create(body, response) {
    let push;
    try {
      push = JSON.parse(body).push;
    } catch {
      return answer(response, 400, '{"error":"unreadable"}');
    }
    if (typeof push?.payload !== 'string') return answer(response, 422, '{"error":"payload"}');
    store.create(push.payload, push.expire_after_views ?? DEFAULT_VIEWS, (error, token) =>
      error ? fail(response, error) : answer(response, 201, `{"url_token":"${token}"}`),
    );
  }

  function view(token, response) {
    store.view(token, (error, payload) => {
      if (error) fail(response, error);
      else if (payload === undefined) answer(response, 404, '{"error":"not found"}');
      else answer(response, 200, `{"payload":${JSON.stringify(payload)}}`);
    });
  }
});

/** A small body arrives in one piece. */
function readBody(request, done) {
  let first;
  let rest;
  request.on('data', (chunk) => {
    if (!first) first = chunk;
    else (rest ??= [first]).push(chunk);
  });
  request.on('end', () => done((rest ? Buffer.concat(rest) : (first ?? '')).toString()));
}

function fail(response, error) {
  console.error(error);
  answer(response, 500, '{"error":"failed"}');
}

function answer(response, status, text) {
  response.writeHead(status, [
    'Content-Type',
    'application/json',
    'Content-Length',
    String(Buffer.byteLength(text)),
  ]);
  response.end(text);
}
