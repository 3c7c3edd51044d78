import type { ComponentChildren } from 'preact';
import { assets } from '../server/assets.ts';
import type { Frame } from '../server/visit.ts';
import { Coin, People, Person, Receipt, Tag } from '../ui/icons.tsx';
import { type AppHead, PersonalPage, type PersonalPageProps } from '../ui/personal-layout.tsx';

type Tab = 'vender' | 'vendas' | 'dinheiro' | 'equipe' | 'perfil';

export const HOME = '/balcao';

export const TILL_APP: AppHead = {
  home: HOME,
  base: HOME,
  styles: [assets.walletCss, assets.tillCss],
  script: assets.till,
};

const TABS: Array<{ tab: Tab; href: string; text: string; icon: ComponentChildren; owners?: true }> = [
  { tab: 'vender', href: HOME, text: 'Vender', icon: <Tag /> },
  { tab: 'vendas', href: `${HOME}/vendas`, text: 'Vendas', icon: <Receipt /> },
  { tab: 'dinheiro', href: `${HOME}/dinheiro`, text: 'Dinheiro', icon: <Coin />, owners: true },
  { tab: 'equipe', href: `${HOME}/equipe`, text: 'Equipe', icon: <People />, owners: true },
  { tab: 'perfil', href: `${HOME}/perfil`, text: 'Perfil', icon: <Person /> },
];

/** Error pages do not know who it is: they show what everybody may do. */
type TillFrame = Frame & { me?: { member: { role: string }; merchant: { name: string } } };

export function TillPage(
  props: PersonalPageProps & { visit: TillFrame; tab?: Tab; offerPath?: string | undefined },
) {
  const { visit, tab } = props;
  const { me, who } = visit;
  const text = me?.merchant.name ?? 'balcão';
  const brand = { href: HOME, label: `${text}, nova venda`, text };
  const isOwner = me?.member.role === 'owner';
  return (
    <PersonalPage
      wrap="till"
      {...props}
      app={TILL_APP}
      brand={brand}
      description="O balcão da Semana: vender em parcelas semanais, devolver e acompanhar o que a loja recebe."
      nav={who && <Tabs tab={tab} isOwner={isOwner} />}
      banner={OFFLINE}
    />
  );
}

const OFFLINE = (
  <p class="offline" role="status" data-offline hidden>
    Sem conexão. Nada do que você digitou se perdeu: assim que a internet voltar, toque de novo.
  </p>
);

const Tabs = ({ tab, isOwner }: { tab: Tab | undefined; isOwner: boolean }) => (
  <nav class="tabs" aria-label="Balcão">
    <ul>
      {TABS.filter(({ owners }) => !owners || isOwner).map(({ tab: name, href, text, icon }) => (
        <li key={name}>
          <a href={href} aria-current={name === tab ? 'page' : undefined}>
            {icon}
            <span>{text}</span>
          </a>
        </li>
      ))}
    </ul>
  </nav>
);
