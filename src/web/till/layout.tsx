import { assets } from '../server/assets.ts';
import type { Frame } from '../server/visit.ts';
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

export const TILL_APP: AppHead = {
  home: HOME,
  base: HOME,
  styles: [assets.walletCss, assets.tillCss],
  script: assets.till,
};

const TABS: Array<Tab<TabName> & { owners?: true }> = [
  { tab: 'vender', href: HOME, text: 'Vender', icon: <Tag /> },
  { tab: 'vendas', href: `${HOME}/vendas`, text: 'Vendas', icon: <Receipt /> },
  { tab: 'dinheiro', href: `${HOME}/dinheiro`, text: 'Dinheiro', icon: <Coin />, owners: true },
  { tab: 'equipe', href: `${HOME}/equipe`, text: 'Equipe', icon: <People />, owners: true },
  { tab: 'perfil', href: `${HOME}/perfil`, text: 'Perfil', icon: <Person /> },
];

/** Error pages do not know who it is: they show what everybody may do. */
type TillFrame = Frame & { me?: { member: { role: string }; merchant: { name: string } } };

export function TillPage(
  props: PersonalPageProps & { visit: TillFrame; tab?: TabName; offerPath?: string | undefined },
) {
  const { visit, tab } = props;
  const { me, who } = visit;
  const text = me?.merchant.name ?? 'balcão';
  const brand = { href: HOME, label: `${text}, nova venda`, text };
  const tabs = TABS.filter(({ owners }) => !owners || me?.member.role === 'owner');
  return (
    <PersonalPage
      wrap="till"
      {...props}
      app={TILL_APP}
      brand={brand}
      description="O balcão da Semana: vender em parcelas semanais, devolver e acompanhar o que a loja recebe."
      nav={who && <Tabs label="Balcão" tabs={tabs} current={tab} />}
      banner={OFFLINE}
    />
  );
}

const OFFLINE = (
  <p class="offline" role="status" data-offline hidden>
    Sem conexão. Nada do que você digitou se perdeu: assim que a internet voltar, toque de novo.
  </p>
);
