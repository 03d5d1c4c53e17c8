import { useEffect, useRef, useState } from 'react';
import { Icon } from './icon.tsx';

const pauseMs = 200;

interface SearchFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  /** Letters typed in one go are one step in the history. */
  readonly onChange: (text: string, how?: 'replace') => void;
}

/** Filters while the user types. `/` focuses it from anywhere on the page. */
export function SearchField({ label, hint, value, onChange }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isTyping = useRef(false);
  const sent = useRef(value);
  const [text, setText] = useState(value);
  useEffect(() => {
    // An update caused by this input must not overwrite letters typed since.
    if (value === sent.current) return;
    clearTimeout(timer.current);
    sent.current = value;
    setText(value);
  }, [value]);
  useSlash(() => field.current?.focus());
  const send = (next: string) => {
    if (next === value) return;
    sent.current = next;
    onChange(next, isTyping.current ? 'replace' : undefined);
    isTyping.current = true;
  };
  return (
    <label className="field search">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        value={text}
        placeholder={hint}
        aria-label={label}
        aria-keyshortcuts="/"
        dir="auto"
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => {
          setText(target.value);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => send(target.value), pauseMs);
        }}
        onKeyDown={({ key }) => key === 'Enter' && send(text)}
        onBlur={() => {
          isTyping.current = false;
        }}
      />
      <kbd className="wide-only">/</kbd>
    </label>
  );
}

function useSlash(focus: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isInField =
        event.target instanceof Element && event.target.closest('input, textarea, select, [role=dialog]');
      if (event.key !== '/' || isInField || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      focus();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  });
}
