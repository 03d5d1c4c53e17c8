import type { KeyboardEvent } from 'react';

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** From one alert the arrows lead to the next, past the links between them. */
export function moveBetweenAlerts(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  const alerts = [...event.currentTarget.querySelectorAll<HTMLElement>('.alert-name')];
  const at = alerts.indexOf(document.activeElement as HTMLElement);
  const next = step === undefined || at === -1 ? undefined : alerts[at + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
