/** A short text to a phone (E.164). `code` is the part a person types in, where there is one. */
export type Message = { to: string; text: string; code?: string };

/** Returns when the message was taken for delivery; throws NotSent when it was not. */
export type MessageSender = (message: Message) => Promise<void>;

/** Why a message did not leave. Holds nothing of the message or its receiver: it is logged and stored. */
export class NotSent extends Error {
  /** A word for programs and lists: 'timeout', 'http_503', 'twilio_21211'. */
  readonly reason: string;
  /** The same message will not be taken later either. */
  readonly permanent: boolean;
  /** True when no message to anybody would have left: the fault is the sender's, not the receiver's. */
  readonly concernsAll: boolean;

  constructor(reason: string, is: { permanent: boolean; concernsAll: boolean }) {
    super(`The message was not sent: ${reason}.`);
    this.reason = reason;
    this.permanent = is.permanent;
    this.concernsAll = is.concernsAll;
  }
}
