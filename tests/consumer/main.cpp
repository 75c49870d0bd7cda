#include "topology/mechanism.hpp"

int main() { return 0; }
