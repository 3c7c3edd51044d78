/** One call to the simulated API, after everything that has to do with HTTP. */
export type Call = {
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
  now: Date;
};

export type PspResponse = { status: number; body?: unknown; contentType?: string };

export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  /** What the token must allow. */
  scope: string;
  handle(call: Call): Promise<PspResponse>;
};
