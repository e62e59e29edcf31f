// A server under load, in a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const TICK_MICROSECONDS = 10_000; // Linux counts CPU time in hundredths of a second

/** Starts a script that prints its address in a line of JSON. */
export async function startTarget(args, env) {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit');
  const url = await addressOf(child);
  child.stdout.resume(); // reading its log must not cost the load generator anything
  return {
    url,
    /** CPU time used so far, of user and kernel, in microseconds; with that of workers. */
    cpu: () => cpuWithChildren(child.pid),
    /** CPU time that the thread has used which runs JavaScript, in microseconds. */
    mainThreadCpu: () => cpuOf(`${child.pid}/task/${child.pid}`),
    /** Resident memory in MB, with that of workers. */
    memory: () => withChildren(child.pid).reduce((sum, pid) => sum + memoryOf(pid), 0),
    /** Asks for something that no request can bring about, and waits for what came of it. */
    ask: async (question) => {
      child.send(question);
      return (await once(child, 'message'))[0];
    },
    stop: async () => {
      child.kill('SIGTERM');
      await exit;
    },
  };
}

function addressOf(child) {
  return new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk) => {
      output += chunk;
      const address = /"address":"(http[^"]+)"/.exec(output)?.[1];
      if (!address) return;
      child.stdout.off('data', read);
      resolve(address);
    };
    child.stdout.on('data', read);
    child.once('exit', (code) => reject(new Error(`exit ${code}: ${output}`)));
  });
}

function withChildren(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean)];
}

/** CPU time that a process and its children have used so far, in microseconds. */
export function cpuWithChildren(pid) {
  return withChildren(pid).reduce((sum, each) => sum + cpuOf(each), 0);
}

function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS;
}

function memoryOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1000;
}

/** A port that nothing uses at the moment. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await once(server.close(), 'close');
  return port;
}
