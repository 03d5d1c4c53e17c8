import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../api/api.tsx';

const refreshMs = 10_000;

export interface Coverage {
  readonly stations: number;
  readonly resources: number;
  readonly alertable: number;
  readonly uncovered: number;
}

/** How many resources of all stations have alert rules. */
export function useCoverage() {
  const { manage } = useClient();
  return useQuery({
    queryKey: ['coverage'],
    queryFn: async ({ signal }): Promise<Coverage> => {
      let sum: Coverage = { stations: 0, resources: 0, alertable: 0, uncovered: 0 };
      for await (const { resources } of manage.allStations({}, { signal })) {
        sum = {
          stations: sum.stations + 1,
          resources: sum.resources + resources.total,
          alertable: sum.alertable + resources.alertable,
          uncovered: sum.uncovered + resources.uncovered,
        };
      }
      return sum;
    },
    refetchInterval: refreshMs,
    staleTime: 0,
  });
}
