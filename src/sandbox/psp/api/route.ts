import type { Bank } from '../bank.ts';

/** A request to the simulated API, without the details of HTTP. */
export type Call = {
  bank: Bank;
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
  now: Date;
};

export type PspResponse = { status: number; body?: unknown; contentType?: string };

export type RouteHandler = (call: Call) => Promise<PspResponse>;

/** Handlers by method and path: `PUT /v2/cob/:txid`. */
export type Routes = Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /v2/${string}`, RouteHandler>;
