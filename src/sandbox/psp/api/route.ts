import type { Bank } from '../bank.ts';

/** One call to the simulated API, after everything that has to do with HTTP. */
export type Call = {
  bank: Bank;
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
  now: Date;
};

export type PspResponse = { status: number; body?: unknown; contentType?: string };

export type Handle = (call: Call) => Promise<PspResponse>;

/** Handlers by method and address: `PUT /v2/cob/:txid`. */
export type Routes = Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /v2/${string}`, Handle>;
