import type { Line, Question } from './line.ts';
import { isNotFound, look } from './look.ts';
import { readWebhook, type Webhook } from './translate.ts';

export type FoundWebhook = { kind: 'found'; webhook: Webhook } | { kind: 'not_found' };
export type DeletedWebhook = { kind: 'deleted' } | { kind: 'not_found' };

const ROUTE = '/webhook/:key';
/** Before it answers, a PSP may call the address itself, with and without its certificate (Efí does, for up to a minute). */
const PUT_TIMEOUT_MS = 60_000;

/** Says where the PSP tells of money that arrived for a key. It appends `/pix` to the address. Safe to repeat. */
export async function putWebhook(line: Line, key: string, url: string): Promise<void> {
  const question: Question = {
    method: 'PUT',
    route: ROUTE,
    params: { key },
    body: { webhookUrl: url },
    secrets: [url, key],
    timeoutMs: PUT_TIMEOUT_MS,
  };
  const verdict = await line.askSafely(question, line.deadline() + PUT_TIMEOUT_MS);
  if (verdict.kind === 'refused') throw verdict.refusal;
  if (verdict.kind === 'unavailable') throw verdict.failure;
}

export async function findWebhook(line: Line, key: string): Promise<FoundWebhook> {
  const question: Question = { method: 'GET', route: ROUTE, params: { key }, secrets: [key] };
  const webhook = await look(line, { question, read: readWebhook, deadlineMs: line.deadline() });
  return webhook ? { kind: 'found', webhook } : { kind: 'not_found' };
}

/** Safe to repeat: when the answer to the first attempt was lost, the second finds it gone. */
export async function deleteWebhook(line: Line, key: string): Promise<DeletedWebhook> {
  const question: Question = { method: 'DELETE', route: ROUTE, params: { key }, secrets: [key] };
  const verdict = await line.askSafely(question, line.deadline());
  if (verdict.kind === 'done') return { kind: 'deleted' };
  if (verdict.kind === 'unavailable') throw verdict.failure;
  if (isNotFound(verdict.refusal)) return { kind: 'not_found' };
  throw verdict.refusal;
}
