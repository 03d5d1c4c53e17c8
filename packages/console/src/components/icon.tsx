const paths = {
  alert: 'M8 1.8 15 14H1zM8 6v3.6M8 11.6v.1',
  arrow: 'M6 3l5 5-5 5',
  bell: 'M3.5 11.5h9L11.3 9.6V7a3.3 3.3 0 0 0-6.6 0v2.6zM6.8 13.6h2.4',
  bookmark: 'M4 2.5h8v11.5L8 11l-4 3z',
  check: 'M3 8.5l3.2 3.2L13 5',
  clock: 'M8 4.5V8l2.4 1.8M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0z',
  close: 'M4 4l8 8M12 4l-8 8',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  copy: 'M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2',
  down: 'M3.5 6l4.5 4.5L12.5 6',
  download: 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  hollow: 'M13.5 8A5.5 5.5 0 1 1 2.5 8a5.5 5.5 0 0 1 11 0z',
  expand: 'M9.5 2.5h4v4M13.5 2.5 9 7M6.5 13.5h-4v-4M2.5 13.5 7 9',
  file: 'M4 1.5h5l3 3v10H4zM9 1.5v3h3',
  filter: 'M2 3.5h12L9.5 9v4.5l-3-1.5V9z',
  more: 'M2.7 8a.4.4 0 1 0 .8 0 .4.4 0 0 0-.8 0zM7.6 8a.4.4 0 1 0 .8 0 .4.4 0 0 0-.8 0zM12.5 8a.4.4 0 1 0 .8 0 .4.4 0 0 0-.8 0z',
  muted: 'M3.5 11.5h9L11.3 9.6V7a3.3 3.3 0 0 0-6.6 0v2.6zM6.8 13.6h2.4M2 2l12 12',
  other: 'M8 2.5 13.5 8 8 13.5 2.5 8z',
  person: 'M8 8.2a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2.5 14a5.5 5.5 0 0 1 11 0',
  plus: 'M8 3v10M3 8h10',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.6M13 2.2v3h-3',
  rows: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  search: 'M10.5 10.5 14 14M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0z',
  trend: 'M2.5 2.5v11h11M5 10.5l3-3.5 2 2 3.5-4.5',
  upload: 'M8 10.5V2.5M4.5 6 8 2.5 11.5 6M2.5 13.5h11',
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon beside a text with the same meaning. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
