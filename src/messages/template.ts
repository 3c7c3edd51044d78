import type { Channel, Creditor } from './channels/channel.ts';

/** The input of all templates, besides the data of the message. */
export type RenderContext = {
  channel: Channel;
  creditor: Creditor;
  /** Returns the URL of a page of the wallet, e.g. of `compras/HASH/2`. */
  toWalletUrl: (page: string) => string;
};

/**
 * A kind of message: its texts in Portuguese, its recipients, and how long sending is attempted. `Data` is the input of the texts, stored
 * as encrypted JSON.
 */
export type Template<Data> = {
  /** customer: by the customer's channels. phone: to any phone. owner: to the phones of the owners of a merchant. */
  readonly recipient: 'customer' | 'phone' | 'owner';
  /** Customers cannot switch a legal notice off. It is tried on every channel until one accepts it. */
  readonly isLegalNotice: boolean;
  /** The recipient is waiting for the message, so its jobs have their own queue. */
  readonly isUrgent?: true;
  /** The message is not sent to a locked customer. */
  readonly requiresUnlockedCustomer?: true;
  /** The only channels for the message, regardless of preferences. */
  readonly channels?: readonly Channel[];
  /** How long sending is attempted. */
  readonly ttlMs: number;
  /** The subject of an e-mail and the title of a push notification. */
  subject(data: Data): string;
  text(data: Data, context: RenderContext): string;
  /** The target of the message. The text contains the link only if `text` adds it. */
  link?(data: Data, context: RenderContext): string;
  /** A code to type or paste: a login code or a PIX code. */
  code?(data: Data): string | undefined;
  /** The text to store instead of the sent text, for messages with a secret. */
  storedText?(data: Data): string;
  readonly example: Data;
};
