import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnFreePort } from '../servers.ts';

export type SentMessage = { to: string; from: string; body: string };

export type FakeTwilio = {
  url: string;
  /** Accepted messages in order. */
  sentMessages: SentMessage[];
  /** The forms by which the accepted messages were sent, in the same order. */
  forms: URLSearchParams[];
  /** The number of requests, including refused ones. */
  requestCount: number;
  /** How the server responds to the next requests. */
  behavior:
    | 'accept'
    | 'refuse whatsapp'
    | 'refuse'
    | 'busy'
    | 'broken'
    | 'unauthorized'
    | 'slow'
    | 'hang up'
    | 'nonsense';
  close(): Promise<void>;
};

export const ACCOUNT = { accountSid: 'AC0123456789abcdef', authToken: 'the-token', from: '+15005550006' };

/** Starts a fake of Twilio's Messages API, which behaves well or badly. */
export async function openFakeTwilio(): Promise<FakeTwilio> {
  const server = createServer((request, response) => void handleRequest(request, response));
  const twilio: FakeTwilio = {
    url: `http://127.0.0.1:${await listenOnFreePort(server)}`,
    sentMessages: [],
    forms: [],
    requestCount: 0,
    behavior: 'accept',
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return twilio;

  async function handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    twilio.requestCount++;
    const form = new URLSearchParams(await text(request));
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const to = form.get('To') ?? '';
    if (twilio.behavior === 'refuse whatsapp' && to.startsWith('whatsapp:'))
      return void send(400, { code: 63003, message: `Channel could not find To address ${to}`, status: 400 });
    switch (twilio.behavior) {
      case 'refuse':
        return void send(400, { code: 21211, message: `Invalid 'To' Phone Number: ${to}`, status: 400 });
      case 'busy':
        return void send(429, { code: 20429, message: 'Too Many Requests', status: 429 });
      case 'broken':
        return void response.writeHead(503).end('<html>Service Unavailable</html>');
      case 'slow':
        return; // never responds
      case 'hang up':
        return void request.socket.destroy();
      case 'nonsense':
        return void response.writeHead(302, { location: 'https://example.com/' }).end();
    }
    const credentials = Buffer.from(`${ACCOUNT.accountSid}:${ACCOUNT.authToken}`).toString('base64');
    const isValidRequest =
      twilio.behavior !== 'unauthorized' &&
      request.method === 'POST' &&
      request.url === `/2010-04-01/Accounts/${ACCOUNT.accountSid}/Messages.json` &&
      request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') &&
      request.headers.authorization === `Basic ${credentials}`;
    if (!isValidRequest) return void send(401, { code: 20003, message: 'Authenticate', status: 401 });
    const from = form.get('From') ?? form.get('MessagingServiceSid') ?? '';
    twilio.forms.push(form);
    twilio.sentMessages.push({ to, from, body: form.get('Body') ?? '' });
    send(201, { sid: `SM${twilio.sentMessages.length}`, status: 'queued', to });
  }
}
