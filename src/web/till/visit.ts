import type { Output } from '#client';
import type { Made } from '../server/page.ts';
import type { MakePersonalPage, PersonalVisit } from '../server/visit.ts';
import { missingPage } from './notices.tsx';

type MerchantMe = Output<'getMerchantMe'>;
export type Me = MerchantMe & { member: NonNullable<MerchantMe['member']> };
export type TillVisit = PersonalVisit & { me: Me };
export type MakeTillPage = (visit: TillVisit) => Promise<Made>;

export const isOwner = ({ me }: Pick<TillVisit, 'me'>) => me.member.role === 'owner';
export const mayReturn = ({ me }: Pick<TillVisit, 'me'>) => isOwner({ me }) || me.member.may_return;

/** Who it is, and what they may do, is read each time: an owner may have changed it. */
export const own =
  (make: MakeTillPage): MakePersonalPage =>
  async (visit) =>
    make({ ...visit, me: (await visit.api.getMerchantMe()) as Me });

/** For owners. To others it is not there. */
export const owners = (make: MakeTillPage): MakePersonalPage =>
  own(async (visit) => (isOwner(visit) ? make(visit) : missingPage(visit)));
