import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { DAY_MS } from '#core/values/duration.ts';
import { tryLockKey } from '../database/advisory-locks.ts';
import {
  batchable,
  pluck,
  type Queryable,
  runInBatches,
  sql,
  type Transactions,
  type Tx,
} from '../database/db.ts';
import { defineProblem, type ProblemFactory } from '../problem.ts';
import type { Vault } from '../vault.ts';

const RETENTION_MS = DAY_MS;

const idempotencyKeyReused = defineProblem({
  code: 'idempotency_key_reused',
  status: 422,
  title: {
    en: 'The idempotency key was used for another request',
    pt: 'A chave de idempotência foi usada em outra requisição',
  },
  cause: 'The same Idempotency-Key was sent with another body or URL within 24 hours.',
  remedy: 'Use a new key for a new request. Repeat the identical request to get its response again.',
});

const idempotencyKeyInFlight = defineProblem({
  code: 'idempotency_key_in_flight',
  status: 409,
  title: {
    en: 'The first request with this idempotency key is still running',
    pt: 'A primeira requisição com esta chave de idempotência ainda está em andamento',
  },
  cause: 'Two requests with the same Idempotency-Key arrived at the same time.',
  remedy: 'Wait until the first request has finished, then repeat it to get its response.',
  headers: { 'retry-after': '1' },
});

const IdempotencyHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Makes retries safe: the same key and body return the same response for 24 hours.',
    }),
  ),
});

export const idempotency = {
  header: IdempotencyHeader,
  problems: [idempotencyKeyReused, idempotencyKeyInFlight] as ProblemFactory[],
  responseHeaders: {
    'Idempotency-Replayed': '`true` if this is the response of an earlier request with the same key.',
  },
};

export type IdempotentRequest = {
  key: string;
  partnerId: string;
  /** The logged-in customer or member; '' if there is none. */
  customerId: string;
  /** The method, URL and body, which identify the request. */
  request: unknown;
  now: Date;
};

type StoredResponse = { status: number; body: string };

/** Calls `createResponse` at most once per key. The same transaction stores its status and body, and holds the lock of the key. */
export async function runOnce<X extends Tx, R extends StoredResponse>(
  db: Transactions<X>,
  attempt: IdempotentRequest,
  createResponse: (tx: X) => Promise<R>,
): Promise<(R & { replayed: false }) | (StoredResponse & { replayed: true })> {
  const { customerId, partnerId, key } = attempt;
  return db.transaction(async (tx) => {
    const [isLocked, storedResponse] = await Promise.all([
      tryLockKey(tx, 'idempotency', customerId, partnerId, key),
      findStoredResponse(tx, attempt),
    ]);
    if (!isLocked) throw idempotencyKeyInFlight();
    if (storedResponse) return { ...storedResponse, replayed: true as const };
    const response = await createResponse(tx);
    insertResponse(tx, attempt, response);
    return { ...response, replayed: false as const };
  });
}

/** Computes a keyed hash, because a plain hash of a short body could be reversed by brute force. */
const hashRequest = (vault: Vault, { request }: IdempotentRequest): Buffer =>
  vault.hash('request', JSON.stringify(request));

type ResponseKey = Pick<IdempotentRequest, 'customerId' | 'partnerId' | 'key'>;
const toEncryptionContext = ({ customerId, partnerId, key }: ResponseKey) =>
  JSON.stringify(['answer', customerId, partnerId, key]);
/** Matches the customers in a response, whose ids are stored beside it, so that an erasure finds the response. */
const CUSTOMER_IDS = /cus_[0-9a-z]{26}/g;

export const decryptStoredResponse = (vault: Vault, responseKey: ResponseKey, body: Buffer): string =>
  vault.decryptPacked(body, toEncryptionContext(responseKey));

/** Finds the stored response, if there is one. Throws if the key was used for another request. */
export async function findStoredResponse(
  db: Queryable,
  attempt: IdempotentRequest,
): Promise<StoredResponse | undefined> {
  const storedResponse = await selectResponse(db, attempt);
  if (storedResponse && !storedResponse.request_hash.equals(hashRequest(db.vault, attempt)))
    throw idempotencyKeyReused();
  return (
    storedResponse && {
      status: storedResponse.status,
      body: decryptStoredResponse(db.vault, attempt, storedResponse.body),
    }
  );
}

type HeaderReply = { header(name: string, value: string): unknown };
type CreationRequest = Pick<FastifyRequest, 'caller' | 'method' | 'routeOptions'> & {
  body: unknown;
  headers: Static<typeof IdempotencyHeader>;
};

/**
 * Calls `create` at most once for an Idempotency-Key. If `create` throws, nothing is stored. `fingerprint` replaces a body that is not the
 * whole request, or whose hash would reveal a secret.
 */
export async function createOnce<T, X extends Tx>(
  db: Transactions<X>,
  { request, reply, now }: { request: CreationRequest; reply: HeaderReply; now: Date },
  create: (tx: X) => Promise<T>,
  fingerprint: unknown = request.body,
): Promise<T> {
  const attempt = toIdempotentRequest(request, now, fingerprint);
  if (attempt === undefined) return db.transaction(create);
  const response = await runOnce(db, attempt, async (tx) => {
    return { status: 201, body: JSON.stringify(await create(tx)) };
  });
  if (response.replayed) reply.header('idempotency-replayed', 'true');
  return JSON.parse(response.body);
}

export function toIdempotentRequest(
  request: CreationRequest,
  now: Date,
  fingerprint: unknown,
): IdempotentRequest | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  const { partnerId, customerId, memberId } = request.caller;
  return {
    key,
    partnerId,
    // Keys are separate for each customer and member.
    customerId: customerId || memberId,
    now,
    request: [request.method, request.routeOptions.url, fingerprint],
  };
}

function selectResponse(db: Queryable, { customerId, partnerId, key, now }: IdempotentRequest) {
  const createdAfter = new Date(now.getTime() - RETENTION_MS);
  return db.row<{ status: number; body: Buffer; request_hash: Buffer }>(
    selectResponses({ customerId, partnerId, key, createdAfter }),
  );
}

const selectResponses = batchable(
  (rows: ReadonlyArray<ResponseKey & { createdAfter: Date }>, customerSql) => sql`
    select answer.customer_id, answer.request_hash, answer.status, answer.body
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'partnerId')}::text[], ${pluck(rows, 'key')}::text[],
                ${pluck(rows, 'createdAfter')}::timestamptz[]) as input (customer_id, partner_id, key, created_after)
    join idempotent_answers answer on answer.customer_id = ${customerSql} and answer.partner_id = input.partner_id
      and answer.key = input.key and answer.created_at > input.created_after`,
);

function insertResponse(tx: Tx, attempt: IdempotentRequest, { status, body }: StoredResponse): void {
  const encryptedBody = tx.vault.encryptPacked(body, toEncryptionContext(attempt));
  const customerIds = `{${(body.match(CUSTOMER_IDS) ?? []).join()}}`;
  tx.queueWrite(
    upsertResponses({
      ...attempt,
      requestHash: hashRequest(tx.vault, attempt),
      status,
      encryptedBody,
      customerIds,
    }),
  );
}

type NewResponse = ResponseKey & {
  readonly requestHash: Buffer;
  readonly status: number;
  readonly encryptedBody: Buffer;
  /** The customers in the response, as the text of an array. */
  readonly customerIds: string;
  readonly now: Date;
};

const upsertResponses = batchable(
  (rows: readonly NewResponse[], customerSql) => sql`
    insert into idempotent_answers (customer_id, partner_id, key, request_hash, status, body, about, created_at)
    select ${customerSql}, input.partner_id, input.key, input.request_hash, input.status, input.body, input.about::text[], input.now
    from unnest(${pluck(rows, 'customerId')}::text[], ${pluck(rows, 'partnerId')}::text[], ${pluck(rows, 'key')}::text[],
                ${pluck(rows, 'requestHash')}::bytea[], ${pluck(rows, 'status')}::int[], ${pluck(rows, 'encryptedBody')}::bytea[],
                ${pluck(rows, 'customerIds')}::text[], ${pluck(rows, 'now')}::timestamptz[])
         as input (customer_id, partner_id, key, request_hash, status, body, about, now)
    on conflict (customer_id, partner_id, key) do update set
      request_hash = excluded.request_hash, status = excluded.status, body = excluded.body, about = excluded.about,
      created_at = excluded.created_at`,
);

/** Deletes a response that has become useless: the next request with the key runs the work again. */
export async function deleteStoredResponse(
  db: Queryable,
  { customerId, partnerId, key }: ResponseKey,
): Promise<void> {
  await db.run(sql`
    delete from idempotent_answers
    where customer_id = ${customerId} and partner_id = ${partnerId} and key = ${key}`);
}

export async function purgeStoredResponses(db: Queryable, now: Date): Promise<void> {
  const createdBefore = new Date(now.getTime() - RETENTION_MS);
  await runInBatches(() =>
    db.run(sql`
      delete from idempotent_answers stored
      using (select customer_id, partner_id, key from idempotent_answers where created_at < ${createdBefore} limit 1000) as old
      where (stored.customer_id, stored.partner_id, stored.key) = (old.customer_id, old.partner_id, old.key)
        and stored.created_at < ${createdBefore}`),
  );
}
