// Order of rows and choice of columns.
#include "experiments/results/table_order.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/message_of.h"

namespace actlab {
namespace {

Table example() {
  return {{{"activation"}, {"lr"}, {"accuracy"}, {"ci95", Unit::percent, true}, {"bytes"}, {"status"}},
          {{"relu", "0.05", 0.7, 0.01, std::int64_t{8}, "done"},
           {"gelu", "0.1", std::nan(""), Cell(), std::int64_t{8}, "done"},
           {"elu", "1e-3", 0.8, 0.02, std::int64_t{8}, "done"},
           {"silu", "10", 0.7, 0.01, std::int64_t{8}, "done"}}};
}

std::string sorted(const std::string& order) {
  Table table = example();
  sort_rows(table, order);
  std::string names;
  for (const auto& row : table.rows) names += std::get<std::string>(row[0]) + " ";
  return names;
}

TEST(TableOrder, ByAnyColumnEitherWay) {
  EXPECT_EQ(sorted("activation"), "elu gelu relu silu ");
  EXPECT_EQ(sorted("activation:desc"), "silu relu gelu elu ");
  EXPECT_EQ(sorted("accuracy"), "relu silu elu gelu ") << "what is absent comes last, equal ones as before";
  EXPECT_EQ(sorted("accuracy:desc"), "elu relu silu gelu ");
  EXPECT_EQ(sorted("lr"), "elu relu gelu silu ") << "numbers by size, though they are text";
  EXPECT_EQ(sorted("lr:desc"), "silu gelu relu elu ");
  EXPECT_EQ(sorted("status"), "relu gelu elu silu ");
  EXPECT_EQ(message_of([] { sorted("acuracy"); }),
            "--sort: there is no column 'acuracy', nearest: accuracy, lr, ci95");
}

TEST(TableOrder, EqualColumnsAreDropped) {
  Table table = example();
  drop_equal_columns(table);
  EXPECT_EQ(
      render(table, TableFormat::csv),
      "activation,lr,accuracy,ci95\nrelu,0.05,0.7,0.01\ngelu,0.1,,\nelu,1e-3,0.8,0.02\nsilu,10,0.7,0.01\n");
}

TEST(TableOrder, NamesSpreadsAndOnlyRowsStay) {
  Table table{{{"a"}, {"b"}, {"x"}, {"ci95", Unit::plain, true}, {"y"}},
              {{"relu", "1", 0.5, 0.1, 1.0}, {"relu", "1", 0.5, 0.2, 1.0}},
              2};
  drop_equal_columns(table);
  EXPECT_EQ(render(table, TableFormat::csv), "a,b,x,ci95\nrelu,1,0.5,0.1\nrelu,1,0.5,0.2\n");
  table.rows.resize(1);
  drop_equal_columns(table);
  EXPECT_EQ(table.columns.size(), 4u);
}

}  // namespace
}  // namespace actlab
