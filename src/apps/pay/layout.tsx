import { PersonalPage, type PersonalPageProps, WALLET_HEAD } from '../ui/personal-layout.tsx';

/** Delay of the automatic redirect to the shop without scripts; REDIRECT_MS in browser/personal-pages.ts has the same value. */
const REDIRECT_SECONDS = 5;

const PAY_HEAD = { ...WALLET_HEAD, workerScope: '/pagar' };

export const PayPage = (props: PersonalPageProps) => (
  <PersonalPage
    app={PAY_HEAD}
    brand={{ href: '/', label: 'Semana, página inicial' }}
    description="Veja a compra, quanto custa por semana, e pague em parcelas semanais no PIX."
    refreshSeconds={props.redirectTo ? REDIRECT_SECONDS : undefined}
    {...props}
  />
);
