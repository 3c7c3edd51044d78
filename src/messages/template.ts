import type { Channel, Creditor } from './channels/channel.ts';

/** What a text is written with, beside its own parts. */
export type Writing = {
  channel: Channel;
  creditor: Creditor;
  /** The address of a page of the wallet: `compras/HASH/2`. */
  walletPage: (page: string) => string;
};

/**
 * A message, declared once: its texts in Portuguese, who gets it, and when it stops being worth sending. `Parts` are what the texts are
 * made of; they are stored, sealed, as JSON.
 */
export type Template<Parts> = {
  /** In the operator's lists: 'código de acesso'. */
  readonly title: string;
  /** customer: by the customer's channels. phone: to a phone, whoever has it. owner: to the owners of a merchant, by phone. */
  readonly to: 'customer' | 'phone' | 'owner';
  /** Cannot be switched off, and goes by every channel until one takes it. */
  readonly isLegal: boolean;
  /** Somebody waits for it: its jobs have a queue of their own. */
  readonly isUrgent?: true;
  /** Not for a customer who is locked. */
  readonly isForActive?: true;
  /** The only channels it goes by. */
  readonly channels?: readonly Channel[];
  /** How long it is tried for. */
  readonly lifeMs: number;
  /** Subject of an e-mail, title of a notification. */
  subject(parts: Parts): string;
  text(parts: Parts, writing: Writing): string;
  /** Where it leads. It is part of the text only where the text says so. */
  link?(parts: Parts, writing: Writing): string;
  /** What is typed or pasted: a login code, a PIX code. */
  code?(parts: Parts): string | undefined;
  /** The text to store once it is sent, if the message has a secret in it. */
  kept?(parts: Parts): string;
  readonly example: Parts;
};
