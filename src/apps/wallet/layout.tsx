import { useVisit } from '../server/visit.ts';
import { Coin, Home, People, Person, Tag } from '../ui/icons.tsx';
import { PersonalPage, type PersonalPageProps, type Tab, Tabs } from '../ui/personal-layout.tsx';

type TabName = 'inicio' | 'ofertas' | 'cashback' | 'convites' | 'perfil';

const TABS: Array<Tab<TabName>> = [
  { tab: 'inicio', href: '/carteira', text: 'Início', icon: <Home /> },
  { tab: 'ofertas', href: '/carteira/ofertas', text: 'Ofertas', icon: <Tag /> },
  { tab: 'cashback', href: '/carteira/cashback', text: 'Cashback', icon: <Coin /> },
  { tab: 'convites', href: '/carteira/convites', text: 'Convites', icon: <People /> },
  { tab: 'perfil', href: '/carteira/perfil', text: 'Perfil', icon: <Person /> },
];

export function WalletPage(
  props: PersonalPageProps & {
    tab?: TabName;
    /** The id of a charge that the sandbox bar can pay. */
    pixId?: string | undefined;
  },
) {
  const { user } = useVisit();
  const brand = user
    ? { href: '/carteira', label: 'Semana, sua carteira' }
    : { href: '/', label: 'Semana, página inicial' };
  return (
    <PersonalPage
      {...props}
      brand={brand}
      nav={user && <Tabs label="Carteira" tabs={TABS} current={props.tab} />}
    />
  );
}

/** Returns the address of a page of a list. The first page has no parameter. */
export const buildPagePath = (path: string, page: number) => (page > 1 ? `${path}?pagina=${page}` : path);
