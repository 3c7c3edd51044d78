import { nodeTransport, ProblemError } from '#client';
import type { Loaded } from './reader.ts';

/** What a purchase today would be. */
export type Quote = {
  amount: number;
  installments: Array<{ number: number; due_on: string; amount: number }>;
  total: number;
  cost: number;
  terms: { weekly_rate_percent?: number; cet_percent_month?: number; cet_percent_year?: number };
};

const transport = nodeTransport();

/** A typed call of its own until openapi.json has the operation. */
export const quoteFrom =
  (api: { apiUrl: string; key: string }) =>
  (slug: string, amount: number, installments: number) =>
  async (): Promise<Loaded> => {
    const search = new URLSearchParams({ amount: String(amount), installments: String(installments) });
    const { status, headers, body } = await transport({
      method: 'GET',
      url: `${api.apiUrl}/public/merchants/${encodeURIComponent(slug)}/quote?${search}`,
      headers: { 'x-api-key': api.key, 'accept-language': 'pt-BR' },
    });
    let text = '';
    for await (const chunk of body) text += Buffer.from(chunk).toString();
    const data = JSON.parse(text);
    if (status >= 400) throw new ProblemError(status, data);
    return { status, headers, data };
  };
