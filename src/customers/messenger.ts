import { defineService } from '#platform/service.ts';
import { canReceiveCodes } from './codes/codes.ts';
import type { CustomersDeps } from './customers.ts';
import type { CountMessage } from './message-caps.ts';

/** Checks for modules that send messages to phones that a caller chose freely. */
export type Messenger = {
  canReach(phone: string): boolean;
  count: CountMessage;
};

export const messenger = defineService<Messenger>('messenger');

export const createMessenger = ({ otpCountries, countMessage }: CustomersDeps): Messenger => ({
  canReach: (phone) => canReceiveCodes(phone, otpCountries),
  count: countMessage,
});
