import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createClient, nodeTransport } from '#client';
import type { WebOptions } from '../open.ts';

type SandboxOptions = NonNullable<WebOptions['sandbox']> & { apiUrl: string };
export type Message = { text: string; code: string | null; sent_at: string };
export type Template = {
  name: string;
  title: string;
  legal: boolean;
  subject: string;
  whatsapp: string | null;
  sms: string | null;
  email: string | null;
  push: string | null;
};
export type ClockReading = { now: string; offset_seconds: number };

/** A jump of the clock stops wherever a debit needs something, and takes its time. */
const transport = nodeTransport({ timeoutMs: 30_000 });

/** Sandbox tools for newcomers, through the staff door and with a merchant's key. Absent in live mode. */
export class Sandbox {
  readonly #options: SandboxOptions;
  readonly #clock = new LRUCache<'clock', ClockReading>({ max: 1, ttl: 500 });

  constructor(options: SandboxOptions) {
    this.#options = options;
  }

  /** Messages to this phone, newest first. Waits for one that is still being sent. */
  async messages(phone: string): Promise<Message[]> {
    const { data } = await this.#staff<{ data: Message[] }>(
      'GET',
      `/sandbox/messages?limit=3&phone=${encodeURIComponent(phone)}`,
    );
    return data;
  }

  /** The texts of all messages, with examples. */
  async templates(): Promise<Template[]> {
    return (await this.#staff<{ data: Template[] }>('GET', '/admin/message-templates?limit=100')).data;
  }

  async clock(): Promise<ClockReading> {
    const known = this.#clock.get('clock');
    if (known) return known;
    return this.#keep(await this.#staff<ClockReading>('GET', '/sandbox/clock'));
  }

  async advance(duration: string): Promise<void> {
    this.#keep(await this.#staff<ClockReading>('POST', '/sandbox/clock', { advance: duration }));
  }

  async resetClock(): Promise<void> {
    this.#keep(await this.#staff<ClockReading>('DELETE', '/sandbox/clock'));
  }

  /** The payer's bank pays this charge. */
  async pay(txid: string): Promise<void> {
    await this.#staff('POST', `/sandbox/pix/${txid}/pay`);
  }

  /** The payer's bank authorises debits. */
  async authorise(autopayId: string): Promise<void> {
    await this.#staff('POST', `/sandbox/autopay/${autopayId}/authorise`);
  }

  /** The bakery offers a purchase to this phone, or without one to whoever opens its link. */
  offer(phone?: string): Promise<{ id: string; link: string }> {
    const { apiUrl, merchantKey } = this.#options;
    const merchant = createClient({ url: apiUrl, key: merchantKey, transport });
    const body = {
      ...(phone && { phone }),
      amount: 120,
      installments: 4,
      description: 'Cesta de café da manhã',
    };
    return merchant.createOffer({ body, idempotencyKey: randomUUID() });
  }

  #keep(reading: ClockReading): ClockReading {
    this.#clock.set('clock', reading);
    return reading;
  }

  async #staff<T>(method: string, path: string, body?: object): Promise<T> {
    const { staffUrl, staffKey } = this.#options;
    const answer = await transport({
      method,
      url: staffUrl + path,
      headers: { 'x-api-key': staffKey, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = Buffer.concat(await Array.fromAsync(answer.body)).toString();
    if (answer.status >= 300)
      throw new Error(`The staff door answered ${answer.status} to ${method} ${path.split('?')[0]}.`);
    return (text ? JSON.parse(text) : undefined) as T;
  }
}
