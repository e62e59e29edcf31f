import { openSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { text as textOf } from 'node:stream/consumers';
import { ReadStream } from 'node:tty';
import { UsageError } from './exit-codes.js';

/** The terminal of a command: stdout is for results alone, everything else goes to stderr. */
export class Terminal {
  private progressShown = false;

  constructor(
    private readonly stdin = process.stdin,
    private readonly stdout = process.stdout,
    private readonly stderr = process.stderr,
  ) {}

  get isOutputATerminal(): boolean {
    return this.stdout.isTTY;
  }

  get isInputATerminal(): boolean {
    return this.stdin.isTTY;
  }

  print(text: string): void {
    this.stdout.write(`${text}\n`);
  }

  /** As it is; on a terminal with a line break at its end, so that the prompt of the shell is on a line of its own. */
  printExactly(text: string): void {
    this.stdout.write(this.isOutputATerminal && !text.endsWith('\n') ? `${text}\n` : text);
  }

  say(sentence: string): void {
    this.clearProgress();
    this.stderr.write(`${sentence}\n`);
  }

  /** On a terminal only. */
  showProgress(what: string, done: number, total: number): void {
    if (!this.stderr.isTTY) return;
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
    this.stderr.write(`\r${what}: ${percent} %`);
    this.progressShown = true;
  }

  clearProgress(): void {
    if (this.progressShown) this.stderr.write('\r\u001b[K');
    this.progressShown = false;
  }

  /** Everything on stdin. */
  readInput(): Promise<string> {
    return textOf(this.stdin);
  }

  /** @throws UsageError without a terminal */
  async ask(question: string): Promise<string> {
    const prompt = createInterface({ input: this.terminalInput(question), output: this.stderr });
    try {
      return await prompt.question(`${question}: `);
    } finally {
      prompt.close();
    }
  }

  /**
   * Asks for something that is not shown while it is typed.
   * @throws UsageError without a terminal
   */
  async askSecret(question: string): Promise<string> {
    const input = this.terminalInput(question);
    this.stderr.write(`${question} (it is not shown): `);
    input.setRawMode(true);
    try {
      return await readLine(input);
    } finally {
      input.setRawMode(false);
      input.pause();
      this.stderr.write('\n');
      if (input !== this.stdin) input.destroy();
    }
  }

  /** The secret may come from stdin, so that a question needs the terminal itself. */
  private terminalInput(question: string): ReadStream {
    if (this.stdin.isTTY) return this.stdin;
    try {
      return new ReadStream(openSync('/dev/tty', 'r'));
    } catch {
      throw new UsageError(`${question}: there is no terminal on which to ask for it.`);
    }
  }
}

const [CTRL_C, CTRL_D, BACKSPACE, DELETE] = ['\u0003', '\u0004', '\b', '\u007f'];

/** Characters until the key Enter; arrow keys and the like are ignored. */
function readLine(input: ReadStream): Promise<string> {
  input.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    let line: string[] = [];
    const end = (finish: () => void) => {
      input.off('data', read);
      finish();
    };
    const read = (keys: string) => {
      if (keys.startsWith('\u001b')) return;
      for (const key of keys) {
        if (key === '\r' || key === '\n' || key === CTRL_D) {
          end(() => {
            resolve(line.join(''));
          });
          return;
        }
        if (key === CTRL_C) {
          end(() => {
            reject(new UsageError('Cancelled.'));
          });
          return;
        }
        if (key === BACKSPACE || key === DELETE) line = line.slice(0, -1);
        else line.push(key);
      }
    };
    input.on('data', read);
    input.resume();
  });
}
