import type { VNode } from 'preact';

const BAR_HEIGHTS = [12, 15, 11, 14, 20, 13, 10];
const PAYMENT_DAY_INDEX = 4;

/** The logo: seven bars for the days of a week, the payment day highlighted. */
export function BrandMark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="currentColor" />
      {BAR_HEIGHTS.map((height, i) => (
        <rect
          key={String(i)}
          class={i === PAYMENT_DAY_INDEX ? 'mark-day' : 'mark-bar'}
          x={(5 + i * 3.3).toFixed(1)}
          y={16 - height / 2}
          width="2.2"
          height={height}
          rx="1.1"
        />
      ))}
    </svg>
  );
}

export const Brand = ({ href, label, text = 'semana' }: { href: string; label: string; text?: string }) => (
  <a class="brand" href={href} aria-label={label}>
    <BrandMark />
    <span>{text}</span>
  </a>
);

const createIcon =
  (...shapes: VNode[]) =>
  () => (
    <svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      {shapes}
    </svg>
  );

export const Bag = createIcon(<path d="M5 8h14l-1 12H6L5 8Z" />, <path d="M9 11V7a3 3 0 0 1 6 0v4" />);
export const Calendar = createIcon(
  <rect x="4" y="5.5" width="16" height="14.5" rx="2.5" />,
  <path d="M4 10h16M8.5 3.5v4M15.5 3.5v4M8.5 14h3" />,
);
export const Bolt = createIcon(<path d="M13 3 5.5 13.5H11L10 21l8-11h-5.5L13 3Z" />);
export const Search = createIcon(<circle cx="11" cy="11" r="6.5" />, <path d="m16 16 4.5 4.5" />);
export const Check = createIcon(<path d="m5 12.5 4.5 4.5L19 7.5" />);
export const Coin = createIcon(
  <circle cx="12" cy="12" r="8.5" />,
  <path d="M14.5 9.2c-.5-.8-1.4-1.2-2.5-1.2-1.5 0-2.5.8-2.5 1.9 0 2.7 5.2 1.4 5.2 4.2 0 1.2-1.1 1.9-2.7 1.9-1.2 0-2.2-.5-2.7-1.3M12 6.5V8m0 8v1.5" />,
);
export const Pin = createIcon(
  <path d="M12 21s6.5-5.6 6.5-11A6.5 6.5 0 0 0 5.5 10C5.5 15.4 12 21 12 21Z" />,
  <circle cx="12" cy="10" r="2.3" />,
);
export const ExternalLink = createIcon(<path d="M9 5H5v14h14v-4M13 5h6v6M19 5l-8 8" />);
export const Store = createIcon(
  <path d="M4 9.5 5.5 4h13L20 9.5a2.7 2.7 0 0 1-5.3 0 2.7 2.7 0 0 1-5.4 0A2.7 2.7 0 0 1 4 9.5Z" />,
  <path d="M5.5 12.5V20h13v-7.5M10 20v-4h4v4" />,
);
export const Shield = createIcon(
  <path d="M12 3 5 6v5.5c0 4.3 2.9 7.8 7 9.5 4.1-1.7 7-5.2 7-9.5V6l-7-3Z" />,
  <path d="m9 12 2.2 2.2L15.2 10" />,
);
export const Home = createIcon(<path d="M4 11 12 4l8 7v9h-5.5v-5.5h-5V20H4v-9Z" />);
export const Tag = createIcon(
  <path d="M4 4h8.5l7.5 7.5-8.5 8.5L4 12.5V4Z" />,
  <circle cx="8.5" cy="8.5" r="1.3" />,
);
export const People = createIcon(
  <circle cx="9" cy="8.5" r="3.5" />,
  <path d="M2.5 19.5c.5-3.7 3-5.5 6.500-5.500s6 1.800 6.500 5.500M16 5.300a3.500 3.500 0 0 1 0 6.400M18 14.500c2 .7 3.200 2.400 3.500 5" />,
);
export const Person = createIcon(
  <circle cx="12" cy="8" r="4" />,
  <path d="M4.500 20.500c.7-4.200 3.500-6.500 7.500-6.500s6.800 2.300 7.500 6.500" />,
);
export const Bell = createIcon(
  <path d="M6 9a6 6 0 0 1 12 0c0 6 2 7 2 7H4s2-1 2-7" />,
  <path d="M10 20a2 2 0 0 0 4 0" />,
);
export const Clock = createIcon(<circle cx="12" cy="12" r="8.5" />, <path d="M12 7v5.200l3.300 2" />);
export const Share = createIcon(
  <circle cx="6" cy="12" r="2.500" />,
  <circle cx="17.500" cy="6" r="2.500" />,
  <circle cx="17.500" cy="18" r="2.500" />,
  <path d="m8.300 10.900 7-3.700M8.300 13.100l7 3.700" />,
);
export const Heart = createIcon(
  <path d="M12 20S4 15 4 9.300A4.300 4.300 0 0 1 12 7a4.300 4.300 0 0 1 8 2.300C20 15 12 20 12 20Z" />,
);
export const Receipt = createIcon(
  <path d="M6 3.500h12v17l-2.400-1.500-2.400 1.500-2.400-1.500-2.400 1.500L6 20.500v-17Z" />,
  <path d="M9 8h6M9 12h6" />,
);
