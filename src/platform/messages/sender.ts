/** A short text to a phone (E.164). `code` is the part a person types in, where there is one. */
export type Message = { to: string; text: string; code?: string };

/** Returns when the message was accepted for delivery; throws NotSent otherwise. */
export type MessageSender = (message: Message) => Promise<void>;

/** Why a message was not sent. Contains nothing of the message or its receiver, because it is logged and stored. */
export class NotSent extends Error {
  /** A short code: 'timeout', 'http_503', 'twilio_21211'. */
  readonly reason: string;
  /** Permanent: the same message will not be accepted later either. */
  readonly permanent: boolean;
  /** True when the fault is the sender's, not the receiver's: no message to anybody would be sent. */
  readonly concernsAll: boolean;

  constructor(reason: string, is: { permanent: boolean; concernsAll: boolean }) {
    super(`The message was not sent: ${reason}.`);
    this.reason = reason;
    this.permanent = is.permanent;
    this.concernsAll = is.concernsAll;
  }
}
