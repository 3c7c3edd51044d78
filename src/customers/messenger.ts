import { service } from '#platform/service.ts';
import { canReceiveCodes } from './codes/request-code.ts';
import type { Customers } from './customers.ts';
import type { CountMessage } from './message-caps.ts';

/** What other modules ask before they send messages to phones that anybody may name. */
export type Messenger = {
  /** Whether messages are sent to such a phone at all. */
  canReach(phone: string): boolean;
  count: CountMessage;
};

export const messenger = service<Messenger>('messenger');
/** For commands, which have no metrics. */
export const canReach = service<Messenger['canReach']>('can reach');

export const openMessenger = ({ otpCountries, countMessage }: Customers): Messenger => ({
  canReach: (phone) => canReceiveCodes(phone, otpCountries),
  count: countMessage,
});
