/** One step of a run, with its estimated duration. */
export interface Step {
  readonly label: string;
  readonly seconds: number;
  run(): Promise<void>;
}

const redrawMs = 500;

/** Runs steps in turn; shows one changing line on a terminal and plain lines elsewhere. */
export async function runSteps(steps: readonly Step[], stream: NodeJS.WriteStream): Promise<void> {
  const startedMs = performance.now();
  let remainingSeconds = steps.reduce((sum, step) => sum + step.seconds, 0);
  for (const [index, step] of steps.entries()) {
    const stepStartedMs = performance.now();
    const line = () => {
      const spent = Math.min(step.seconds, (performance.now() - stepStartedMs) / 1000);
      const elapsed = formatSeconds((performance.now() - startedMs) / 1000);
      const left = formatSeconds(remainingSeconds - spent);
      return `[${index + 1}/${steps.length}] ${elapsed} elapsed, about ${left} left: ${step.label}`;
    };
    const show = () =>
      stream.write(stream.isTTY ? `\r\u001b[K${line().slice(0, (stream.columns || 80) - 1)}` : `${line()}\n`);
    show();
    const timer = stream.isTTY ? setInterval(show, redrawMs) : undefined;
    try {
      await step.run();
    } finally {
      clearInterval(timer);
      if (stream.isTTY) stream.write('\r\u001b[K');
    }
    remainingSeconds -= step.seconds;
  }
}

function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
