import { armor, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import type { INestApplicationContext } from '@nestjs/common';
import type { NewPush } from '../../src/pushes/create/create-push.dto.js';
import { CreatePushDto } from '../../src/pushes/create/create-push.dto.js';
import { PushRules } from '../../src/pushes/create/push-rules.js';
import type { Client, ClientResponse } from './client.js';

/** A request as the API returns it. */
export type SecretRequest = Record<string, any> & { url_token: string };

/** Asks for a secret, by the API. */
export async function ask(client: Client, fields: object = {}): Promise<SecretRequest> {
  const request = { request: 'The password of the shop, please', ...fields };
  const { status, body } = await client.post('/api/v2/requests', { request });
  if (status !== 201) throw new Error(`not created: ${status} ${JSON.stringify(body)}`);
  return body;
}

export function respond(client: Client, urlToken: string, response: string): Promise<ClientResponse> {
  return client.post(`/api/v2/requests/${urlToken}/respond`, { request: { response } });
}

/** A text as `AnswersService` takes it. */
export function newAnswer(app: INestApplicationContext): NewPush {
  return app.get(PushRules).newPushFrom(Object.assign(new CreatePushDto(), { payload: 'tulip' }));
}

/** An identity, and a payload that is encrypted to it. */
export async function ageRecipient() {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const encrypt = async (text: string) => {
    const encrypter = new Encrypter();
    encrypter.addRecipient(recipient);
    return armor.encode(await encrypter.encrypt(text));
  };
  return { identity, recipient, encrypt };
}
