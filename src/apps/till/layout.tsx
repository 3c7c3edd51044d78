import type { Output } from '#client';
import { assets } from '../server/assets.ts';
import { PageNotFound } from '../server/kernel.ts';
import type { PageResult } from '../server/page.ts';
import type { LayoutContext, PersonalPageHandler, PersonalVisit } from '../server/visit.ts';
import { Coin, People, Person, Receipt, Tag } from '../ui/icons.tsx';
import {
  type AppHead,
  PersonalPage,
  type PersonalPageProps,
  type Tab,
  Tabs,
} from '../ui/personal-layout.tsx';

type TabName = 'vender' | 'vendas' | 'dinheiro' | 'equipe' | 'perfil';

export const HOME = '/balcao';

export const TILL_HEAD: AppHead = {
  home: HOME,
  basePath: HOME,
  styles: [assets.walletCss, assets.tillCss],
  script: assets.tillJs,
};

const TABS: Array<Tab<TabName> & { forOwners?: true }> = [
  { tab: 'vender', href: HOME, text: 'Vender', icon: <Tag /> },
  { tab: 'vendas', href: `${HOME}/vendas`, text: 'Vendas', icon: <Receipt /> },
  { tab: 'dinheiro', href: `${HOME}/dinheiro`, text: 'Dinheiro', icon: <Coin />, forOwners: true },
  { tab: 'equipe', href: `${HOME}/equipe`, text: 'Equipe', icon: <People />, forOwners: true },
  { tab: 'perfil', href: `${HOME}/perfil`, text: 'Perfil', icon: <Person /> },
];

/** Error pages have no `me`: they show only the tabs that every member may open. */
type TillFrame = LayoutContext & { me?: { member: { role: string }; merchant: { name: string } } };

export function TillPage(
  props: PersonalPageProps & { visit: TillFrame; tab?: TabName; offerPath?: string | undefined },
) {
  const { visit, tab } = props;
  const { me, user } = visit;
  const text = me?.merchant.name ?? 'balcão';
  const brand = { href: HOME, label: `${text}, nova venda`, text };
  const tabs = TABS.filter(({ forOwners }) => !forOwners || me?.member.role === 'owner');
  return (
    <PersonalPage
      wrap="till"
      {...props}
      app={TILL_HEAD}
      brand={brand}
      description="O balcão da Semana: vender em parcelas semanais, devolver e acompanhar o que a loja recebe."
      nav={user && <Tabs label="Balcão" tabs={tabs} current={tab} />}
      banner={OFFLINE_BANNER}
    />
  );
}

const OFFLINE_BANNER = (
  <p class="offline" role="status" data-offline hidden>
    Sem conexão. Nada do que você digitou se perdeu: assim que a internet voltar, toque de novo.
  </p>
);

type MerchantMe = Output<'getMerchantMe'>;
export type Me = MerchantMe & { member: NonNullable<MerchantMe['member']> };
export type TillVisit = PersonalVisit & { me: Me };
export type TillPageHandler = (visit: TillVisit) => Promise<PageResult>;

export const isOwner = ({ me }: Pick<TillVisit, 'me'>) => me.member.role === 'owner';
export const mayReturn = ({ me }: Pick<TillVisit, 'me'>) => isOwner({ me }) || me.member.may_return;

/** Reads the member and their permissions for every request, because an owner may have changed them. */
export const forMembers =
  (render: TillPageHandler): PersonalPageHandler =>
  async (visit) =>
    render({ ...visit, me: (await visit.api.getMerchantMe()) as Me });

/** For owners only. Other members get the not-found page. */
export const forOwners = (render: TillPageHandler): PersonalPageHandler =>
  forMembers(async (visit) => {
    if (!isOwner(visit)) throw new PageNotFound();
    return render(visit);
  });
