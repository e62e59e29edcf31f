import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const [USER_PRESENT, USER_VERIFIED, HAS_KEY] = [0x01, 0x04, 0x40];
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: string | Buffer) => Buffer.from(data).toString('base64url');

interface AnswerOptions {
  origin?: string;
  rpId?: string;
  isUserVerified?: boolean;
  /** Whether the browser says that the authenticator keeps the new passkey itself. */
  isKept?: boolean;
  type?: string;
  challenge?: string;
  crossOrigin?: boolean;
  topOrigin?: string;
}

/** What a browser and an authenticator with one passkey do (Web Authentication Level 3, W3C), without a browser. */
export class SoftAuthenticator {
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private readonly id = randomBytes(32);
  counter = 0;

  constructor(private readonly url: string) {}

  /** The answer to a request for a new passkey, as JSON. */
  create(options: { challenge: string; rp: { id: string } }, changes: AnswerOptions = {}): string {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' });
    const coseKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
    const lengthOfId = Buffer.from([0, this.id.length]);
    const authData = Buffer.concat([
      this.authData(changes.rpId ?? options.rp.id, HAS_KEY, changes),
      Buffer.alloc(16),
      lengthOfId,
      this.id,
      coseKey,
    ]);
    const attestationObject = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      Buffer.from([authData.length]),
      authData,
    ]);
    const clientDataJSON = this.clientData('webauthn.create', options.challenge, changes);
    const response = {
      clientDataJSON: base64url(clientDataJSON),
      attestationObject: base64url(attestationObject),
      transports: ['internal', '<b>', 7],
    };
    return this.answer(response, changes.isKept === undefined ? {} : { credProps: { rk: changes.isKept } });
  }

  /** The answer to a request for an existing one. */
  get(options: { challenge: string; rpId?: string }, changes: AnswerOptions = {}): string {
    const authenticatorData = this.authData(changes.rpId ?? options.rpId ?? '', 0, changes);
    const clientDataJSON = this.clientData('webauthn.get', options.challenge, changes);
    const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)]);
    return this.answer({
      clientDataJSON: base64url(clientDataJSON),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(sign('sha256', signed, this.keys.privateKey)),
    });
  }

  private answer(response: object, clientExtensionResults = {}): string {
    const id = base64url(this.id);
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults });
  }

  private authData(rpId: string, flags: number, { isUserVerified = true }: AnswerOptions): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const all = flags | USER_PRESENT | (isUserVerified ? USER_VERIFIED : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([all]), counter]);
  }

  private clientData(type: string, challenge: string, changes: AnswerOptions): string {
    return JSON.stringify({ type, challenge, origin: this.url, crossOrigin: false, ...changes });
  }
}
