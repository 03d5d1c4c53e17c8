import { useConnection } from '../../api/connection.ts';
import { useIsMissingData } from '../../api/missing-data.ts';
import { useMessages } from '../../messages/messages.ts';
import { Notice } from '../notice.tsx';

/** Says that the server does not answer, and whether what is shown is what it said before. */
export function GoneNotice() {
  const { errors } = useMessages();
  const { isReachable } = useConnection();
  const isMissingData = useIsMissingData();
  if (isReachable) return null;
  return <Notice tone="warning">{isMissingData ? errors.goneBefore : errors.gone}</Notice>;
}
