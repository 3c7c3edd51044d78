import type { ComponentChildren } from 'preact';
import { Coin, Home, People, Person, Tag } from '../ui/icons.tsx';
import { PersonalPage, type PersonalPageProps } from '../ui/personal-layout.tsx';

type Tab = 'inicio' | 'ofertas' | 'cashback' | 'convites' | 'perfil';

const TABS: Array<{ tab: Tab; href: string; text: string; icon: ComponentChildren }> = [
  { tab: 'inicio', href: '/carteira', text: 'Início', icon: <Home /> },
  { tab: 'ofertas', href: '/carteira/ofertas', text: 'Ofertas', icon: <Tag /> },
  { tab: 'cashback', href: '/carteira/cashback', text: 'Cashback', icon: <Coin /> },
  { tab: 'convites', href: '/carteira/convites', text: 'Convites', icon: <People /> },
  { tab: 'perfil', href: '/carteira/perfil', text: 'Perfil', icon: <Person /> },
];

export function WalletPage(
  props: PersonalPageProps & {
    tab?: Tab;
    /** The id of a charge that the sandbox bar can pay. */
    pixId?: string | undefined;
  },
) {
  const { visit, tab } = props;
  const brand = visit.who
    ? { href: '/carteira', label: 'Semana, sua carteira' }
    : { href: '/', label: 'Semana, página inicial' };
  return <PersonalPage {...props} brand={brand} nav={visit.who && <Tabs tab={tab} />} />;
}

const Tabs = ({ tab }: { tab: Tab | undefined }) => (
  <nav class="tabs" aria-label="Carteira">
    <ul>
      {TABS.map(({ tab: name, href, text, icon }) => (
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
