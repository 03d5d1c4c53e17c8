export function ChartSkeleton({ title }: { readonly title: string }) {
  return (
    <div className="chart">
      <h2>{title}</h2>
      <span className="skeleton" />
      <span className="skeleton" />
      <span className="skeleton short" />
    </div>
  );
}
