import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Db } from '#platform/database/db.ts';
import { newId } from '#platform/ids.ts';
import { type Publication, publishToPartners } from '../../src/webhooks/publish-store.ts';
import { startHttpServer } from '../servers.ts';

export type ReceivedDelivery = {
  id: string;
  receivedAtMs: number;
  /** The body as received, which is signed. */
  raw: string;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  body: any;
};

export type Behavior = (
  response: ServerResponse,
  request: IncomingMessage,
  received: ReceivedDelivery,
) => void;

export const respondWith =
  (status: number, headers: Record<string, string> = {}, text = ''): Behavior =>
  (response) =>
    void response.writeHead(status, headers).end(text);
export const neverRespond: Behavior = () => undefined;
export const resetConnection: Behavior = (_, request) => void request.socket.resetAndDestroy();
/** Responds with four megabytes. */
export const respondWithMegabytes =
  (status: number): Behavior =>
  (response) => {
    response.writeHead(status);
    for (let i = 0; i < 64; i++) response.write('x'.repeat(64 * 1024));
    response.end();
  };

export type Receiver = Awaited<ReturnType<typeof openWebhookReceiver>>;

/** Starts a partner's server, which stores the deliveries it receives. A test changes its behavior by setting `behave`. */
export async function openWebhookReceiver(behavior: Behavior = respondWith(204)) {
  const received: ReceivedDelivery[] = [];
  const ids = new Set<string>();
  let connectionCount = 0;
  const receiver = {
    behave: behavior,
    received,
    ids,
    url: '',
    countConnections: () => connectionCount,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined); // the caller may cut the connection
    response.on('error', () => undefined);
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString();
      const headers = request.headers as Record<string, string>;
      const delivery = {
        id: headers['webhook-id']!,
        receivedAtMs: performance.now(),
        raw,
        headers,
        body: JSON.parse(raw),
      };
      received.push(delivery);
      ids.add(delivery.id);
      receiver.behave(response, request, delivery);
    });
  });
  server.on('connection', () => {
    connectionCount += 1;
  });
  receiver.url = `${(await startHttpServer(server)).url}/hook`;
  return receiver;
}

/** Builds events of one purchase, in sequence. */
export function buildPurchaseEvents(count: number, type = 'pix.paid', now = new Date()) {
  const checkoutHash = newId('hash', now).slice(-22);
  return Array.from({ length: count }, (_, i) => ({
    id: newId('evt', now),
    type,
    occurredAt: now,
    checkoutHash,
    sequence: i + 1,
    data: { checkout_hash: checkoutHash, n: i },
  }));
}

/** The customer of the published events. */
export const WEBHOOK_CUSTOMER = 'cus_01kfx3v9e2r4s6t8w0y2a4c6e8';

export const publish = (
  db: Db,
  partnerId: string,
  events: Array<Publication['event']>,
  merchantId: number | null = null,
  { reachesKeysWithoutMerchant = true } = {},
) =>
  db.transaction((tx) =>
    publishToPartners(
      tx,
      events.map((event) => ({
        event,
        recipients: [{ partnerId, reachesKeysWithoutMerchant, merchantId, customerId: WEBHOOK_CUSTOMER }],
      })),
    ),
  );
