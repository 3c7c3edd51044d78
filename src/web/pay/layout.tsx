import type { ComponentChildren } from 'preact';
import type { Frame } from '../server/visit.ts';
import { PersonalLayout } from '../ui/personal-layout.tsx';

/** Seconds until the page leads back to the shop by itself, without scripts; browser/wallet.ts has the same. */
const LEAD_SECONDS = 5;

export function PayLayout(props: {
  title: string;
  visit: Frame;
  /** The shop's address, if the page leads there by itself. */
  leadTo?: string | undefined;
  children: ComponentChildren;
}) {
  return (
    <PersonalLayout
      brand={{ href: '/', label: 'Semana, página inicial' }}
      description="Veja a compra, quanto custa por semana, e pague em parcelas semanais no PIX."
      refreshSeconds={props.leadTo ? LEAD_SECONDS : undefined}
      {...props}
    />
  );
}
