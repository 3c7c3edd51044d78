import { PersonalPage, type PersonalPageProps } from '../ui/personal-layout.tsx';

/** Seconds until the page leads back to the shop by itself, without scripts; browser/personal.ts has the same. */
const LEAD_SECONDS = 5;

/** `leadTo`: the shop's address, if the page leads there by itself. */
export const PayPage = (props: PersonalPageProps) => (
  <PersonalPage
    brand={{ href: '/', label: 'Semana, página inicial' }}
    description="Veja a compra, quanto custa por semana, e pague em parcelas semanais no PIX."
    refreshSeconds={props.leadTo ? LEAD_SECONDS : undefined}
    {...props}
  />
);
