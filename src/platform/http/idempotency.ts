import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { DAY_MS } from '#core/duration.ts';
import { tryLockKey } from '../database/advisory-locks.ts';
import { type Queryable, sql, type Transactions, type Tx } from '../database/db.ts';
import { purgeInBatches } from '../database/purge.ts';
import { defineProblem, type ProblemMaker } from '../problem.ts';
import type { Vault } from '../vault.ts';

const KEPT_MS = DAY_MS;

export const idempotencyKeyReused = defineProblem({
  code: 'idempotency_key_reused',
  status: 422,
  title: {
    en: 'The idempotency key was used for another request',
    pt: 'A chave de idempotência foi usada em outra requisição',
  },
  cause: 'The same Idempotency-Key came with another body or address within 24 hours.',
  remedy: 'Use a new key for a new request; repeat the very same request to get its answer again.',
  detail: {
    en: 'This Idempotency-Key was used for another request within 24 hours.',
    pt: 'Esta Idempotency-Key já foi usada em outra requisição nas últimas 24 horas.',
  },
});

export const idempotencyKeyInFlight = defineProblem({
  code: 'idempotency_key_in_flight',
  status: 409,
  title: {
    en: 'The first request with this idempotency key is still running',
    pt: 'A primeira requisição com esta chave de idempotência ainda está em andamento',
  },
  cause: 'Two requests with the same Idempotency-Key arrived at the same time.',
  remedy: 'Wait for the first to end, then repeat the request to get its answer.',
  headers: { 'retry-after': '1' },
  detail: {
    en: 'A request with this Idempotency-Key is still running.',
    pt: 'Uma requisição com esta Idempotency-Key ainda está em andamento.',
  },
});

const Header = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Makes it safe to send the request again: the same key and body give the same answer for 24 hours.',
    }),
  ),
});

/** What an endpoint that takes an Idempotency-Key declares. */
export const idempotency = {
  header: Header,
  problems: [idempotencyKeyReused, idempotencyKeyInFlight] as ProblemMaker[],
  /** Header of the answer. */
  replayed: {
    'Idempotency-Replayed': '`true` when this is the answer of an earlier request with the same key.',
  },
};

export type IdempotentRequest = {
  key: string;
  partnerId: string;
  customerId: string;
  /** What makes two requests the same: method, address and body. */
  request: unknown;
  now: Date;
};

type KeptAnswer = { status: number; body: string };

/**
 * Runs the work at most once per key. The answer is stored in the same transaction as the work, so a crash leaves both or
 * neither. The lock ends with the transaction, so there is nothing to clean up.
 */
export async function once<X extends Tx>(
  db: Transactions<X>,
  attempt: IdempotentRequest,
  work: (tx: X) => Promise<KeptAnswer>,
): Promise<KeptAnswer & { replayed: boolean }> {
  const { customerId, partnerId, key } = attempt;
  return db.transaction(async (tx) => {
    const [isLocked, kept] = await Promise.all([
      tryLockKey(tx, 'idempotency', customerId, partnerId, key),
      findKept(tx, attempt),
    ]);
    if (!isLocked) throw idempotencyKeyInFlight();
    if (kept) return { ...kept, replayed: true };
    const answer = await work(tx);
    insertAnswer(tx, attempt, answer);
    return { ...answer, replayed: false };
  });
}

/** Keyed: a plain hash of a short body could be reversed by trying. */
const hashOf = (vault: Vault, { request }: IdempotentRequest): Buffer =>
  vault.hash('request', JSON.stringify(request));

type Name = Pick<IdempotentRequest, 'customerId' | 'partnerId' | 'key'>;
const ownerOf = ({ customerId, partnerId, key }: Name) =>
  JSON.stringify(['answer', customerId, partnerId, key]);
const CUSTOMER_IDS = /cus_[0-9a-z]{26}/g;

export const openAnswer = (vault: Vault, name: Name, body: Buffer): string =>
  vault.unpack(body, ownerOf(name));

/** The stored answer, if there is one. Throws when the key was used for another request. */
export async function findKept(db: Queryable, attempt: IdempotentRequest): Promise<KeptAnswer | undefined> {
  const kept = await findAnswer(db, attempt);
  if (kept && !kept.request_hash.equals(hashOf(db.vault, attempt))) throw idempotencyKeyReused();
  return kept && { status: kept.status, body: openAnswer(db.vault, attempt, kept.body) };
}

type Creation = Pick<FastifyRequest, 'caller' | 'method' | 'routeOptions'> & {
  body: unknown;
  headers: Static<typeof Header>;
};

/**
 * Creates in a transaction of `db`; with an Idempotency-Key at most once, and repeated requests get the stored answer. If
 * `create` throws, the transaction rolls back and nothing is stored: the same request may succeed later. `fingerprint` replaces
 * the body where the body is not the whole request, or its plain hash would leak something.
 */
export async function createOnce<T, X extends Tx>(
  db: Transactions<X>,
  {
    request,
    reply,
    now,
  }: { request: Creation; reply: { header(name: string, value: string): unknown }; now: Date },
  create: (tx: X) => Promise<T>,
  fingerprint: unknown = request.body,
): Promise<T> {
  const attempt = attemptOf(request, now, fingerprint);
  if (attempt === undefined) return db.transaction(create);
  const answer = await once(db, attempt, async (tx) => {
    return { status: 201, body: JSON.stringify(await create(tx)) };
  });
  if (answer.replayed) reply.header('idempotency-replayed', 'true');
  return JSON.parse(answer.body);
}

export function attemptOf(request: Creation, now: Date, fingerprint: unknown): IdempotentRequest | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  const { partnerId, customerId, memberId } = request.caller;
  return {
    key,
    partnerId,
    // Whoever is logged in has keys of their own.
    customerId: customerId || memberId,
    now,
    request: [request.method, request.routeOptions.url, fingerprint],
  };
}

async function findAnswer(db: Queryable, { customerId, partnerId, key, now }: IdempotentRequest) {
  return db.row<{ status: number; body: Buffer; request_hash: Buffer }>(sql`
    select request_hash, status, body from idempotent_answers
    where customer_id = ${customerId} and partner_id = ${partnerId} and key = ${key}
      and created_at > ${new Date(now.getTime() - KEPT_MS)}`);
}

function insertAnswer(tx: Tx, attempt: IdempotentRequest, { status, body }: KeptAnswer): void {
  const { customerId, partnerId, key, now } = attempt;
  tx.write(sql`
    insert into idempotent_answers (customer_id, partner_id, key, request_hash, status, body, about, created_at)
    values (${customerId}, ${partnerId}, ${key}, ${hashOf(tx.vault, attempt)}, ${status},
            ${tx.vault.pack(body, ownerOf(attempt))}, ${body.match(CUSTOMER_IDS) ?? []}, ${now})
    on conflict (customer_id, partner_id, key) do update set
      request_hash = excluded.request_hash, status = excluded.status, body = excluded.body, about = excluded.about,
      created_at = excluded.created_at`);
}

/** For an answer that has become useless: the next request with the key runs the work again. */
export async function purgeAnswer(
  db: Queryable,
  { customerId, partnerId, key }: Pick<IdempotentRequest, 'customerId' | 'partnerId' | 'key'>,
): Promise<void> {
  await db.run(sql`
    delete from idempotent_answers
    where customer_id = ${customerId} and partner_id = ${partnerId} and key = ${key}`);
}

export async function purgeOldAnswers(db: Queryable, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS);
  await purgeInBatches(() =>
    db.run(sql`
      delete from idempotent_answers a
      using (select customer_id, partner_id, key from idempotent_answers where created_at < ${before} limit 1000) as old
      where (a.customer_id, a.partner_id, a.key) = (old.customer_id, old.partner_id, old.key)
        and a.created_at < ${before}`),
  );
}
